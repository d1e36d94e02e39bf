<#-- Overridden for its choice of devices. -->
<#import "template.ftl" as layout>
<#import "buttons.ftl" as buttons>
<#import "otp-devices.ftl" as devices>
<@layout.registrationLayout displayMessage=!messagesPerField.existsError("totp"); section>
  <#if section = "header">
    ${msg("otpResetTitle")}
  <#elseif section = "form">
    <form id="kc-otp-reset-form" class="${properties.kcFormClass!}" action="${url.loginAction}" method="post">
      <@devices.choice credentials=configuredOtpCredentials.userOtpCredentials selected=(configuredOtpCredentials.selectedCredentialId)!"" legend="otp-reset-description" />
      <@buttons.actionGroup>
        <@buttons.button id="kc-otp-reset-form-submit" label="doSubmit" />
      </@buttons.actionGroup>
    </form>
  </#if>
</@layout.registrationLayout>
