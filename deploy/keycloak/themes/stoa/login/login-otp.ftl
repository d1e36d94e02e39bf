<#-- Overridden: the choice of devices is a list of radio buttons, which a keyboard can operate. The proxy counts
     codes by the first device, which does not depend on the name that was typed. -->
<#import "template.ftl" as layout>
<#import "field.ftl" as field>
<#import "buttons.ftl" as buttons>
<#import "otp-devices.ftl" as devices>
<@layout.registrationLayout displayMessage=!messagesPerField.existsError("totp"); section>
  <#if section = "header">
    ${msg("otpTitle")}
  <#elseif section = "form">
    <p class="lead">${msg("otpInstruction")}</p>
    <form id="kc-otp-login-form" data-factor="${otpLogin.userOtpCredentials[0].id}" class="${properties.kcFormClass!}" action="${url.loginAction}" method="post" novalidate="novalidate">
      <#if (otpLogin.userOtpCredentials?size gt 1)>
        <@devices.choice credentials=otpLogin.userOtpCredentials selected=(otpLogin.selectedCredentialId)!"" legend="otpDevice" />
      <#else>
        <input type="hidden" name="selectedCredentialId" value="${(otpLogin.selectedCredentialId)!""}">
      </#if>
      <@field.input name="otp" label=msg("loginOtpOneTime") autocomplete="one-time-code" fieldName="totp" autofocus=true />
      <@buttons.loginButton />
    </form>
  </#if>
</@layout.registrationLayout>
