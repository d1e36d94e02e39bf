<#-- Overridden for its buttons. -->
<#import "template.ftl" as layout>
<#import "buttons.ftl" as buttons>
<#import "ways-on.ftl" as ways>
<@layout.registrationLayout; section>
  <#if section = "header">
    ${msg("logoutConfirmTitle")}
  <#elseif section = "form">
    <p class="instruction">${msg("logoutConfirmHeader")}</p>
    <form id="kc-logout-confirm" action="${url.logoutConfirmAction}" method="post">
      <input type="hidden" name="session_code" value="${logoutConfirm.code}">
      <div class="actions">
        <@buttons.button id="kc-logout" name="confirmLogout" label="doLogout" fullWidth=false />
        <#if !logoutConfirm.skipLink>
          <@ways.way href="${ways.site}/" label="backToApplication" />
        </#if>
      </div>
    </form>
  </#if>
</@layout.registrationLayout>
