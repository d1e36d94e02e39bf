<#-- Overridden for its button, and for the same message after every failure. -->
<#import "template.ftl" as layout>
<#import "field.ftl" as field>
<#import "buttons.ftl" as buttons>
<@layout.registrationLayout displayMessage=!messagesPerField.existsError("username"); section>
  <#if section = "header">
    ${msg("emailForgotTitle")}
  <#elseif section = "form">
    <p class="lead">${msg("emailInstruction")}</p>
    <form id="kc-reset-password-form" class="${properties.kcFormClass!}" action="${url.loginAction}" method="post" novalidate="novalidate">
      <#if messagesPerField.existsError("username")><#assign error = msg("emailSendErrorMessage")></#if>
      <@field.input name="username" label=msg("usernameOrEmail") value=auth.attemptedUsername!"" error=error!"" autocomplete="email" autofocus=true />
      <@buttons.actionGroup>
        <@buttons.button id="kc-send" label="doSendResetLink" />
      </@buttons.actionGroup>
    </form>
    <p class="info"><a href="${url.loginUrl}">${msg("backToLogin")}</a></p>
  </#if>
</@layout.registrationLayout>
