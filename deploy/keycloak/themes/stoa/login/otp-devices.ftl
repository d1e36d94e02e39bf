<#macro choice credentials selected legend>
<fieldset class="choices">
  <legend class="${properties.kcFormLabelTextClass}">${msg(legend)}</legend>
  <#list credentials as credential>
    <label class="card-button" for="kc-otp-credential-${credential?index}">
      <input id="kc-otp-credential-${credential?index}" type="radio" name="selectedCredentialId" value="${credential.id}" <#if credential.id == selected>checked</#if>>
      ${credential.userLabel?has_content?then(credential.userLabel, msg("otpWithoutName"))}
    </label>
  </#list>
</fieldset>
</#macro>
