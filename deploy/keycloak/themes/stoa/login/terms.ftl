<#-- Overridden: the terms stand on the site. -->
<#import "template.ftl" as layout>
<#import "buttons.ftl" as buttons>
<#import "ways-on.ftl" as ways>
<@layout.registrationLayout displayMessage=false; section>
  <#if section = "header">
    ${msg("termsTitle")}
  <#elseif section = "form">
    <p class="instruction">
      ${msg("termsReview")}
      <a href="${ways.site}/terms-of-service" target="_blank" rel="noopener">${msg("termsOfService")}</a>
      ${msg("and")}
      <a href="${ways.site}/community-guidelines" target="_blank" rel="noopener">${msg("communityGuidelines")}</a>.
    </p>
    <form class="${properties.kcFormClass!}" action="${url.loginAction}" method="post">
      <@buttons.actionGroup horizontal=true>
        <@buttons.button id="kc-accept" name="accept" label="doAccept" fullWidth=false />
        <@buttons.button id="kc-decline" name="cancel" label="doDecline" type="secondary" fullWidth=false />
      </@buttons.actionGroup>
    </form>
  </#if>
</@layout.registrationLayout>
