<#-- Overridden because the parent has an inline script, which apps/edge forbids. -->
<#import "template.ftl" as layout>
<#import "buttons.ftl" as buttons>
<@layout.registrationLayout displayInfo=(realm.registrationAllowed && !registrationDisabled??); section>
  <#if section = "header">
    ${msg("webauthn-login-title")}
  <#elseif section = "form">
    <form id="webauth" action="${url.loginAction}" method="post" hidden="hidden">
      <#list ["clientDataJSON", "authenticatorData", "signature", "credentialId", "userHandle", "error"] as name>
        <input type="hidden" id="${name}" name="${name}">
      </#list>
    </form>
    <#if authenticators?? && shouldDisplayAuthenticators?? && shouldDisplayAuthenticators>
      <#if authenticators.authenticators?size gt 1>
        <p class="${properties.kcSelectAuthListItemTitle!}">${msg("webauthn-available-authenticators")}</p>
      </#if>
      <ul class="${properties.kcSelectAuthListClass!}" role="list">
        <#list authenticators.authenticators as authenticator>
          <li class="${properties.kcSelectAuthListItemWrapperClass!}">
            <div class="${properties.kcSelectAuthListItemClass!}">
              <div class="${properties.kcSelectAuthListItemBodyClass!}">
                <div class="${properties.kcSelectAuthListItemHeadingClass!}">${authenticator.label}</div>
              </div>
            </div>
          </li>
        </#list>
      </ul>
    </#if>
    <@buttons.actionGroup>
      <@buttons.button id="authenticateWebAuthnButton" label="webauthn-doAuthenticate" disabled="disabled"/>
    </@buttons.actionGroup>
    <noscript><p>${msg("webauthn-needs-script")}</p></noscript>
    <#-- Data, not a script: nothing in it is executed. -->
    <script type="application/json" id="passkey">
      <#outputformat "JavaScript">
      {
        "form": "webauth",
        "button": "authenticateWebAuthnButton",
        "challenge": ${challenge?c},
        "rpId": ${rpId?c},
        "userVerification": ${userVerification?c},
        "timeout": ${createTimeout?c},
        "known": "<#if authenticators?? && isUserIdentified == "true"><#list authenticators.authenticators as authenticator>${authenticator.credentialId}<#sep>,</#list></#if>",
        "unsupported": ${msg("webauthn-unsupported-browser-text")?c}
      }
      </#outputformat>
    </script>
    <script type="module" src="${url.resourcesPath}/js/passkey.js"></script>
  <#elseif section = "info">
    <#if realm.registrationAllowed && !registrationDisabled??>
      <div id="kc-registration">
        <span>${msg("noAccount")} <a href="${url.registrationUrl}">${msg("doRegister")}</a></span>
      </div>
    </#if>
  </#if>
</@layout.registrationLayout>
