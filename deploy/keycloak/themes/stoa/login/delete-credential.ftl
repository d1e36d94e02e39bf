<#-- Overridden for its buttons: the page has nothing to decline. -->
<#import "template.ftl" as layout>
<#import "buttons.ftl" as buttons>
<@layout.registrationLayout displayMessage=false; section>
  <#if section = "header">
    ${msg("deleteCredentialTitle", credentialLabel)}
  <#elseif section = "form">
    <p class="instruction">${msg("deleteCredentialMessage", credentialLabel)}</p>
    <form class="${properties.kcFormClass!}" action="${url.loginAction}" method="post">
      <@buttons.actionGroup horizontal=true>
        <@buttons.button id="kc-accept" name="accept" label="deleteCredentialConfirm" fullWidth=false />
        <@buttons.button id="kc-decline" name="cancel-aia" label="doCancel" type="secondary" fullWidth=false value="true" />
      </@buttons.actionGroup>
    </form>
  </#if>
</@layout.registrationLayout>
