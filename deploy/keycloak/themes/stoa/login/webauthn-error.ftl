<#-- Overridden: the parent nests one form in another, and both in a hidden one. -->
<#import "template.ftl" as layout>
<#import "buttons.ftl" as buttons>
<@layout.registrationLayout; section>
  <#if section = "header">
    ${msg("webauthn-error-title")}
  <#elseif section = "form">
    <div class="actions">
      <form id="kc-error-credential-form" class="grow" action="${url.loginAction}" method="post">
        <input type="hidden" name="authenticationExecution" value="${execution}">
        <input type="hidden" name="isSetRetry" value="retry">
        <@buttons.button id="kc-try-again" name="try-again" label="doTryAgain" />
      </form>
      <#if isAppInitiatedAction??>
        <form id="kc-webauthn-settings-form" class="grow" action="${url.loginAction}" method="post">
          <@buttons.button id="cancelWebAuthnAIA" name="cancel-aia" label="doCancel" type="secondary" />
        </form>
      </#if>
    </div>
  </#if>
</@layout.registrationLayout>
