<#-- Overridden: one form, buttons that report their result, no document.write. -->
<#import "template.ftl" as layout>
<#import "buttons.ftl" as buttons>
<#import "password-commons.ftl" as passwordCommons>
<@layout.registrationLayout; section>
  <#if section = "header">
    ${msg("recovery-code-config-header")}
  <#elseif section = "form">
    <div class="notice">
      <p><strong>${msg("recovery-code-config-warning-title")}</strong></p>
      <p>${msg("recovery-code-config-warning-message")}</p>
    </div>
    <div class="${properties.kcPanelClass!}">
      <ol id="kc-recovery-codes-list" class="${properties.kcListClass!}">
        <#list recoveryAuthnCodesConfigBean.generatedRecoveryAuthnCodesList as code>
          <li>${code[0..3]}-${code[4..7]}-${code[8..]}</li>
        </#list>
      </ol>
    </div>
    <div class="actions quiet" id="recovery-actions" data-filename="stoa-recovery-codes.txt"
         data-header="${msg("recovery-codes-download-file-header")}" data-footer="${msg("recovery-codes-download-file-description")}"
         data-date="${msg("recovery-codes-download-file-date")}" data-copied="${msg("recovery-codes-copied")}"
         data-not-copied="${msg("recovery-codes-not-copied")}">
      <button id="printRecoveryCodes" class="${properties.kcButtonLinkClass}" type="button" disabled>${msg("recovery-codes-print")}</button>
      <button id="downloadRecoveryCodes" class="${properties.kcButtonLinkClass}" type="button" disabled>${msg("recovery-codes-download")}</button>
      <button id="copyRecoveryCodes" class="${properties.kcButtonLinkClass}" type="button" disabled>${msg("recovery-codes-copy")}</button>
    </div>
    <p id="recovery-status" role="status"></p>
    <form action="${url.loginAction}" class="${properties.kcFormClass!}" id="kc-recovery-codes-settings-form" method="post">
      <input type="hidden" name="generatedRecoveryAuthnCodes" value="${recoveryAuthnCodesConfigBean.generatedRecoveryAuthnCodesAsString}">
      <input type="hidden" name="generatedAt" value="${recoveryAuthnCodesConfigBean.generatedAt?c}">
      <input type="hidden" id="userLabel" name="userLabel" value="${msg("recovery-codes-label-default")}">
      <div class="choice">
        <input type="checkbox" id="kcRecoveryCodesConfirmationCheck" name="kcRecoveryCodesConfirmationCheck">
        <label for="kcRecoveryCodesConfirmationCheck">${msg("recovery-codes-confirmation-message")}</label>
      </div>
      <@passwordCommons.logoutOtherSessions />
      <div class="actions">
        <@buttons.button id="saveRecoveryAuthnCodesBtn" label="recovery-codes-action-complete" fullWidth=false disabled="disabled" />
        <#if isAppInitiatedAction??>
          <@buttons.button id="cancelRecoveryAuthnCodesBtn" name="cancel-aia" label="recovery-codes-action-cancel" type="secondary" fullWidth=false value="true" />
        </#if>
      </div>
    </form>
    <script type="module" src="${url.resourcesPath}/js/recovery-codes.js"></script>
  </#if>
</@layout.registrationLayout>
