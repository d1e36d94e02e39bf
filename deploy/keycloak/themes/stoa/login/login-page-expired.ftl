<#-- Overridden: two buttons instead of two links called "Click here". -->
<#import "template.ftl" as layout>
<#import "ways-on.ftl" as ways>
<@layout.registrationLayout; section>
  <#if section = "header">
    ${msg("pageExpiredTitle")}
  <#elseif section = "form">
    <p id="instruction1" class="instruction">${msg("pageExpiredText")}</p>
    <div class="actions">
      <@ways.way id="loginContinueLink" href=url.loginAction label="doContinue" type="primary" />
      <@ways.way id="loginRestartLink" href=url.loginRestartFlowUrl label="doStartOver" />
    </div>
  </#if>
</@layout.registrationLayout>
