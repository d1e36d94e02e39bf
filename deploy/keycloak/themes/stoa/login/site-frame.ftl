<#-- Header and footer of the site, as in apps/web/src/layout. -->
<#macro mark>
<svg viewBox="0 0 32 32" aria-hidden="true" class="mark" fill="var(--accent)"><path d="M3 30V15a13 13 0 0 1 26 0v15h-4V15a9 9 0 0 0-18 0v15ZM10 30V16a6 6 0 0 1 12 0v14Z"/></svg>
</#macro>

<#macro icon name path>
<svg viewBox="0 0 24 24" aria-hidden="true" class="icon icon-${name}" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"><path d="${path}"/></svg>
</#macro>

<#macro header site>
<#-- Signed-in users get the same menu as on the site; js/theme.js detects them before the first paint. -->
<#local logOut = url.resourcesPath?keep_before("/resources/") + "/realms/" + realm.name + "/protocol/openid-connect/logout?client_id="
  + properties.siteClient + "&post_logout_redirect_uri=" + (site + "/")?url('UTF-8')>
<header class="site-header">
  <div class="site-width">
    <a class="brand" href="${site}/"><@mark />${realm.displayName!realm.name}</a>
    <div class="site-tools">
      <button type="button" class="round" id="theme-switch" aria-label="${msg("darkTheme")}" aria-pressed="false">
        <@icon name="moon" path="M20 14.2A8.2 8.2 0 1 1 9.8 4a6.6 6.6 0 0 0 10.2 10.2Z" />
        <@icon name="sun" path="M16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0ZM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M18.7 5.3l-1.4 1.4M6.7 17.3l-1.4 1.4" />
      </button>
      <button type="button" class="round" id="menu-toggle" aria-label="${msg("openMenu")}" aria-expanded="false" aria-controls="menu"
              data-open="${msg("openMenu")}" data-close="${msg("closeMenu")}">
        <@icon name="menu" path="M4 7h16M4 12h16M4 17h16" />
        <@icon name="close" path="m6 6 12 12M18 6 6 18" />
      </button>
    </div>
    <nav id="menu" aria-label="${msg("mainNavigation")}">
      <ul role="list">
        <li><a href="${site}/">${msg("navHome")}</a></li>
        <li><a href="${site}/browse-creators">${msg("navBrowse")}</a></li>
        <li><a href="${site}/about">${msg("navAbout")}</a></li>
        <li class="signed-out"><a href="${site}/login"<#if pageId == "login"> aria-current="page"</#if>>${msg("navLogIn")}</a></li>
        <li class="signed-out"><a class="call" href="${site}/signup"<#if pageId == "register"> aria-current="page"</#if>>${msg("navSignUp")}</a></li>
        <li class="signed-in"><a href="${site}/dashboard">${msg("navDashboard")}</a></li>
        <li class="signed-in"><a href="${logOut}">${msg("doLogout")}</a></li>
      </ul>
    </nav>
  </div>
</header>
</#macro>

<#macro footer site>
<footer class="site-footer">
  <div class="site-width">
    <div class="owner">
      <@mark />
      <p>&copy; ${.now?string("yyyy")} ${realm.displayName!realm.name}. ${msg("allRightsReserved")}</p>
    </div>
    <nav aria-label="${msg("legalNavigation")}">
      <ul role="list">
        <li><a href="${site}/privacy">${msg("privacyPolicy")}</a></li>
        <li><a href="${site}/terms-of-service">${msg("termsOfService")}</a></li>
        <li><a href="${site}/community-guidelines">${msg("communityGuidelines")}</a></li>
        <li><a href="${site}/help-feedback">${msg("helpFeedback")}</a></li>
        <li><a href="${site}/contact">${msg("navContact")}</a></li>
      </ul>
    </nav>
  </div>
</footer>
</#macro>
