<#-- Overridden for the order of the fields (Keycloak puts the password before the email) and for the terms in one
     sentence with links. -->
<#import "template.ftl" as layout>
<#import "field.ftl" as field>
<#import "buttons.ftl" as buttons>
<#import "user-profile-commons.ftl" as userProfile>
<#include "site.ftl">
<@layout.registrationLayout displayMessage=messagesPerField.exists("global"); section>
  <#if section = "header">
    ${msg("registerTitle")}
  <#elseif section = "form">
    <form id="kc-register-form" class="${properties.kcFormClass!}" action="${url.registrationAction}" method="post" novalidate="novalidate">
      <@userProfile.userProfileFormFields; callback, attribute>
        <#if callback = "afterField" && attribute.name = "username">
          <#-- js/username.js fills these in; the placeholders keep the server from formatting the messages. -->
          <div id="username-check" class="username-check" data-free="${msg("usernameFree", "{0}")}" data-taken="${msg("usernameTaken", "{0}")}"
               data-reserved="${msg("usernameReserved", "{0}")}" data-short="${msg("usernameTooShort")}"
               data-long="${msg("usernameTooLong", "{0}")}" data-characters="${msg("usernameCharacters")}" data-offer="${msg("usernameOffer", "{0}")}">
            <p class="username-address" hidden>${msg("usernameAddress")} <strong></strong></p>
            <p id="username-verdict" class="username-verdict" role="status"></p>
            <button type="button" class="username-offer" hidden></button>
          </div>
        </#if>
        <#if callback = "afterField" && attribute.name = "email" && passwordRequired??>
          <@field.password name="password" required=true label=msg("password") autocomplete="new-password" />
          <@field.password name="password-confirm" required=true label=msg("passwordConfirm") autocomplete="new-password" />
        </#if>
      </@userProfile.userProfileFormFields>

      <#if termsAcceptanceRequired??>
        <div class="terms">
          <input type="checkbox" id="termsAccepted" name="termsAccepted" required <#if (register.formData.termsAccepted)??>checked</#if>
                 aria-invalid="${messagesPerField.existsError("termsAccepted")?c}" aria-describedby="input-error-container-termsAccepted">
          <label for="termsAccepted">
            ${msg("acceptTerms")}
            <a href="${site}/terms-of-service" target="_blank" rel="noopener">${msg("termsOfService")}</a>
            ${msg("and")}
            <a href="${site}/community-guidelines" target="_blank" rel="noopener">${msg("communityGuidelines")}</a>.
          </label>
          <div id="input-error-container-termsAccepted">
            <#if messagesPerField.existsError("termsAccepted")>
              <span id="input-error-terms-accepted" class="${properties.kcInputErrorMessageClass!}">${messagesPerField.get("termsAccepted")}</span>
            </#if>
          </div>
        </div>
      </#if>

      <@buttons.actionGroup>
        <@buttons.button id="kc-register" label="doRegister" />
      </@buttons.actionGroup>
    </form>
    <script type="module" src="${url.resourcesPath}/js/username.js"></script>
    <p class="info">${msg("haveAccount")} <a href="${url.loginUrl}">${msg("doLogIn")}</a></p>
  </#if>
</@layout.registrationLayout>
