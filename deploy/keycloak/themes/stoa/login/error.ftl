<#-- Overridden so that every error page has a way to continue. -->
<#import "template.ftl" as layout>
<#import "ways-on.ftl" as ways>
<#assign summary = kcSanitize(message.summary)>
<#assign expired = [msg("expiredActionTokenNoSessionMessage"), msg("expiredActionTokenSessionExistsMessage"), msg("expiredActionMessage")]?seq_contains(message.summary)>
<@layout.registrationLayout displayMessage=false; section>
  <#if section = "header">
    ${expired?then(msg("expiredLinkTitle"), kcSanitize(msg("errorTitle"))?no_esc)}
  <#elseif section = "form">
    <div id="kc-error-message" role="alert">
      <p class="instruction">${summary?no_esc}</p>
      <#if traceId??>
        <p class="instruction" id="traceId">${msg("traceIdSupportMessage", traceId)}</p>
      </#if>
    </div>
    <#if !skipLink??>
      <div class="actions">
        <#if expired>
          <@ways.way href="${ways.site}/forgot-password" label="doAskForNewLink" type="primary" />
          <@ways.way href="${ways.site}/login" label="doLogIn" />
        <#else>
          <@ways.way href="${ways.site}/login" label="doTryAgain" type="primary" />
          <@ways.way id="backToApplication" href="${ways.site}/" label="backToApplication" />
        </#if>
      </div>
    </#if>
  </#if>
</@layout.registrationLayout>
