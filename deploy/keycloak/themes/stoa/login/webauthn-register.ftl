<#-- Overridden because the parent has an inline script, which apps/edge forbids. -->
<#import "template.ftl" as layout>
<#import "password-commons.ftl" as passwordCommons>
<#import "buttons.ftl" as buttons>
<@layout.registrationLayout; section>
  <#if section = "header">
    ${msg("webauthn-registration-title")}
  <#elseif section = "form">
    <form id="register" class="${properties.kcFormClass!}" action="${url.loginAction}" method="post">
      <#list ["clientDataJSON", "attestationObject", "publicKeyCredentialId", "authenticatorLabel", "transports", "authenticatorAttachment", "error"] as name>
        <input type="hidden" id="${name}" name="${name}">
      </#list>
      <@passwordCommons.logoutOtherSessions/>
    </form>
    <@buttons.actionGroup horizontal=true>
      <@buttons.button id="registerWebAuthn" label="doRegisterSecurityKey" disabled="disabled"/>
      <#if !isSetRetry?has_content && isAppInitiatedAction?has_content>
        <form class="${properties.kcFormClass!}" action="${url.loginAction}" id="kc-webauthn-settings-form" method="post">
          <@buttons.button id="cancelWebAuthnAIA" name="cancel-aia" label="doCancel" type="secondary"/>
        </form>
      </#if>
    </@buttons.actionGroup>
    <noscript><p>${msg("webauthn-needs-script")}</p></noscript>
    <#-- Data, not a script: nothing in it is executed. -->
    <script type="application/json" id="passkey">
      <#outputformat "JavaScript">
      {
        "form": "register",
        "button": "registerWebAuthn",
        "challenge": ${challenge?c},
        "userid": ${userid?c},
        "username": ${username?c},
        "algorithms": [<#list signatureAlgorithms as algorithm>${algorithm?c}<#sep>, </#list>],
        "rpEntityName": ${rpEntityName?c},
        "rpId": ${rpId?c},
        "attestation": ${attestationConveyancePreference?c},
        "attachment": ${authenticatorAttachment?c},
        "requireResidentKey": ${requireResidentKey?c},
        "residentKey": ${residentKey?c},
        "userVerification": ${userVerificationRequirement?c},
        "timeout": ${createTimeout?c},
        "known": ${excludeCredentialIds?c},
        "label": ${msg("webauthn-registration-init-label")?c},
        "labelPrompt": ${msg("webauthn-registration-init-label-prompt")?c},
        "unsupported": ${msg("webauthn-unsupported-browser-text")?c}
      }
      </#outputformat>
    </script>
    <script type="module" src="${url.resourcesPath}/js/passkey.js"></script>
  </#if>
</@layout.registrationLayout>
