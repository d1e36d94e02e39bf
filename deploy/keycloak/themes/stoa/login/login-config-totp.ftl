<#-- Overridden: labels that belong to their fields, a text alternative for the picture, fewer words. -->
<#import "template.ftl" as layout>
<#import "field.ftl" as field>
<#import "buttons.ftl" as buttons>
<#import "password-commons.ftl" as passwordCommons>
<@layout.registrationLayout displayMessage=!messagesPerField.existsError("totp", "userLabel"); section>
  <#if section = "header">
    ${msg("loginTotpTitle")}
  <#elseif section = "form">
    <ol id="kc-totp-settings" class="${properties.kcListClass!} ${properties.kcContentWrapperClass!}">
      <li>
        <p>${msg("loginTotpStep1")}</p>
        <p class="hint" id="kc-totp-supported-apps"><#list totp.supportedApplications as app>${msg(app)}<#sep>, </#list></p>
      </li>
      <li>
        <#if mode?? && mode = "manual">
          <p>${msg("loginTotpManualStep2")}</p>
          <p><span id="kc-totp-secret-key">${totp.totpSecretEncoded}</span></p>
          <p class="hint">
            ${msg("loginTotpType")}: ${msg("loginTotp." + totp.policy.type)}, ${msg("loginTotpAlgorithm")}: ${totp.policy.getAlgorithmKey()},
            ${msg("loginTotpDigits")}: ${totp.policy.digits},
            <#if totp.policy.type = "totp">${msg("loginTotpInterval")}: ${totp.policy.period}<#else>${msg("loginTotpCounter")}: ${totp.policy.initialCounter}</#if>
          </p>
          <p><a href="${totp.qrUrl}" id="mode-barcode">${msg("loginTotpScanBarcode")}</a></p>
        <#else>
          <p>${msg("loginTotpStep2")}</p>
          <img id="kc-totp-secret-qr-code" src="data:image/png;base64, ${totp.totpSecretQrCode}" alt="${msg("qrCode")}">
          <p><a href="${totp.manualUrl}" id="mode-manual">${msg("loginTotpUnableToScan")}</a></p>
        </#if>
      </li>
      <li><p>${msg("loginTotpStep3")}</p></li>
    </ol>
    <form action="${url.loginAction}" class="${properties.kcFormClass!}" id="kc-totp-settings-form" method="post" novalidate="novalidate">
      <@field.input name="totp" label=msg("authenticatorCode") autocomplete="one-time-code" required=true />
      <@field.input name="userLabel" label=msg("loginTotpDeviceName") required=(totp.otpCredentials?size gte 1) />
      <input type="hidden" id="totpSecret" name="totpSecret" value="${totp.totpSecret}">
      <#if mode??><input type="hidden" id="mode" name="mode" value="${mode}"></#if>
      <@passwordCommons.logoutOtherSessions />
      <@buttons.actionGroup>
        <@buttons.button id="saveTOTPBtn" label="doSubmit" fullWidth=false />
        <#if isAppInitiatedAction??>
          <@buttons.button id="cancelTOTPBtn" name="cancel-aia" label="doCancel" type="secondary" fullWidth=false value="true" />
        </#if>
      </@buttons.actionGroup>
    </form>
  </#if>
</@layout.registrationLayout>
