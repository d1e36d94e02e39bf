<#-- Overridden: two buttons in place of two links called "Click here". -->
<#import "template.ftl" as layout>
<#import "ways-on.ftl" as ways>
<@layout.registrationLayout; section>
  <#if section = "header">
    ${msg("emailLinkIdpTitle", idpDisplayName)}
  <#elseif section = "form">
    <p class="instruction">${msg("emailLinkIdp1", idpDisplayName, brokerContext.username, realm.displayName)}</p>
    <div class="actions">
      <@ways.way href=url.loginAction label="doContinue" type="primary" />
      <@ways.way href=url.loginAction label="emailVerifyResend" />
    </div>
  </#if>
</@layout.registrationLayout>
