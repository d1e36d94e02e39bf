<#-- Overridden: a button to send the mail again in place of a link called "Click here". -->
<#import "template.ftl" as layout>
<#import "buttons.ftl" as buttons>
<#import "ways-on.ftl" as ways>
<@layout.registrationLayout; section>
  <#if section = "header">
    ${msg("emailVerifyTitle")}
  <#elseif section = "form">
    <p class="instruction"><#if verifyEmail??>${msg("emailVerifyInstruction1", verifyEmail)}<#else>${msg("emailVerifyInstruction4", user.email)}</#if></p>
    <#if isAppInitiatedAction??>
      <form id="kc-verify-email-form" action="${url.loginAction}" method="post">
        <div class="actions">
          <@buttons.button label=(verifyEmail??)?then("emailVerifyResend", "emailVerifySend") fullWidth=false />
          <@buttons.button name="cancel-aia" label="doCancel" type="secondary" fullWidth=false value="true" formnovalidate="formnovalidate" />
        </div>
      </form>
    <#else>
      <div class="actions">
        <@ways.way href=url.loginAction label="emailVerifyResend" />
      </div>
    </#if>
  </#if>
</@layout.registrationLayout>
