<#-- The frame of every page. Derived from keycloak.v2 26.7.3 with header, navigation and footer as landmarks. On an
     upgrade of Keycloak compare it with the template of the new version. -->
<#import "field.ftl" as field>
<#import "site-frame.ftl" as frame>
<#import "purpose.ftl" as purpose>
<#include "site.ftl">

<#macro username>
  <@field.group name="kc-attempted-username" label=msg("account")>
    <div class="${properties.kcInputGroup}">
      <div class="${properties.kcInputGroupItemClass} ${properties.kcFill}">
        <span class="${properties.kcInputClass} ${properties.kcFormReadOnlyClass}">
          <input id="kc-attempted-username" value="${auth.attemptedUsername}" readonly>
        </span>
      </div>
      <div class="${properties.kcInputGroupItemClass}">
        <a id="reset-login" class="${properties.kcFormPasswordVisibilityButtonClass}" href="${url.loginRestartFlowUrl}"
           aria-label="${msg("restartLoginTooltip")}" title="${msg("restartLoginTooltip")}">
          <i class="fa-sync-alt fas" aria-hidden="true"></i>
        </a>
      </div>
    </div>
  </@field.group>
</#macro>

<#macro registrationLayout bodyClass="" displayInfo=false displayMessage=true displayRequiredFields=false>
<#-- A signed-in user is asked to confirm their identity. -->
<#local isConfirmation = pageId == "login" && usernameHidden??>
<#local heading><#if isConfirmation><@purpose.confirmation /><#else><#nested "header"></#if></#local>
<#-- The parent's pages contain their name in a comment. -->
<#local heading = heading?markup_string?replace("<!--.*?-->", "", "rs")?trim?no_esc>
<#local title = heading?markup_string?replace("<span[^>]* hidden>.*?</span>", "", "rs")?replace("<[^>]*>", "", "r")?trim?no_esc>
<!DOCTYPE html>
<html class="${properties.kcHtmlClass!}" lang="en">
<head>
  <meta charset="utf-8">
  <meta name="color-scheme" content="light dark">
  <meta name="robots" content="noindex, nofollow">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${title} · ${realm.displayName!realm.name}</title>
  <meta name="theme-color" content="#f7f2e9" media="(prefers-color-scheme: light)">
  <meta name="theme-color" content="#13100d" media="(prefers-color-scheme: dark)">
  <link rel="icon" type="image/svg+xml" href="${url.resourcesPath}/img/favicon.svg">
  <#list ["fraunces", "figtree"] as font>
    <link rel="preload" as="font" type="font/woff2" crossorigin href="${url.resourcesPath}/fonts/${font}-latin.woff2">
  </#list>
  <script src="${url.resourcesPath}/js/theme.js" data-site="${site}"></script>
  <#list (properties.stylesCommon!"")?split(" ") as style>
    <#if style?has_content><link rel="stylesheet" href="${url.resourcesCommonPath}/${style}"></#if>
  </#list>
  <#list (properties.styles!"")?split(" ") as style>
    <#if style?has_content><link rel="stylesheet" href="${url.resourcesPath}/${style}"></#if>
  </#list>
  <#list (properties.scripts!"")?split(" ") as script>
    <#if script?has_content><script type="module" src="${url.resourcesPath}/${script}"></script></#if>
  </#list>
  <#if scripts??>
    <#list scripts as script><script src="${script}"></script></#list>
  </#if>
  <script type="module" src="${url.resourcesPath}/js/passwordVisibility.js"></script>
  <#-- The pages have no inline scripts, because apps/edge forbids them: an injected script does not run. -->
  <script type="module" id="session-watch" src="${url.resourcesPath}/js/session-watch.js" data-elsewhere="${url.ssoLoginInOtherTabsUrl}"
          <#if authenticationSession??>data-auth-session="${authenticationSession.authSessionIdHash}"</#if>></script>
</head>

<#-- The proxy reads here which account Keycloak has selected, and counts attempts per account. -->
<body class="${properties.kcBodyClass!}" data-page-id="login-${pageId}"<#if auth?has_content && auth.showUsername()> data-account="${auth.attemptedUsername}"</#if>>
  <a class="skip-link" href="#main">${msg("skipToContent")}</a>
  <@frame.header site=site />

  <main id="main" tabindex="-1" class="${properties.kcLoginMain!}">
    <div class="${properties.kcLoginMainHeader!}">
      <h1 class="${properties.kcLoginMainTitle!}" id="kc-page-title">${heading}</h1>
    </div>
    <div class="${properties.kcLoginMainBody!}">
      <#if auth?has_content && auth.showUsername() && !auth.showResetCredentials()>
        <div class="${properties.kcFormClass} ${properties.kcContentWrapperClass}">
          <#nested "show-username">
          <@username />
        </div>
      </#if>

      <#if pageId == "login" && !isConfirmation>
        <p class="notice notice-info" role="status" data-purpose="email-changed" hidden>${msg("emailChangedElsewhere")}</p>
      </#if>

      <#-- An action that the user has started needs no warning that it is required. -->
      <#if displayMessage && message?has_content && (message.type != "warning" || !isAppInitiatedAction??) && !(isConfirmation && message.type == "info")>
        <div class="notice notice-${message.type}" role="${(message.type = "error")?then("alert", "status")}">
          <span class="kc-feedback-text">${message.summary}</span>
        </div>
      </#if>

      <#-- js/forms.js prevents a second submission; the inline handlers of Keycloak's pages are forbidden. -->
      <#local form><#nested "form"></#local>
      ${form?markup_string?replace(' onsubmit="login.disabled = true; return true;"', "")?no_esc}

      <#if auth?has_content && auth.showTryAnotherWayLink()>
        <form id="kc-select-try-another-way-form" action="${url.loginAction}" method="post" novalidate="novalidate">
          <input type="hidden" name="tryAnotherWay" value="on">
          <button type="submit" id="try-another-way" class="${properties.kcButtonSecondaryClass} ${properties.kcButtonBlockClass} ${properties.kcMarginTopClass}">${msg("doTryAnotherWay")}</button>
        </form>
      </#if>

      <#nested "socialProviders">
      <#-- A page for a named user offers no sign-up, because the account exists. -->
      <#if displayInfo && !(auth?has_content && auth.showUsername())>
        <div id="kc-info" class="info"><#nested "info"></div>
      </#if>
    </div>
    <p id="form-status" class="visually-hidden" role="status"
       data-login="${msg("busyLogin")}" data-login-otp="${msg("busyLogin")}" data-login-password="${msg("busyLogin")}"
       data-login-username="${msg("busyLogin")}" data-login-recovery-authn-code-input="${msg("busyLogin")}"
       data-register="${msg("busyRegister")}" data-login-reset-password="${msg("busySending")}" data-logout-confirm="${msg("busyLogout")}"
       data-default="${msg("busySaving")}"></p>
    <p id="form-errors" class="visually-hidden" role="alert" data-intro="${msg("checkTheForm")}"></p>
  </main>

  <@frame.footer site=site />
</body>
</html>
</#macro>
