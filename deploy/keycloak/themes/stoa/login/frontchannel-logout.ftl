<#-- Overridden for its button and for frames with names. -->
<#import "template.ftl" as layout>
<#import "ways-on.ftl" as ways>
<@layout.registrationLayout; section>
  <#if section = "header">
    ${msg("frontchannel-logout.title")}
  <#elseif section = "form">
    <p class="instruction">${msg("frontchannel-logout.message")}</p>
    <ul>
      <#list logout.clients as client>
        <li>${client.name}<iframe src="${client.frontChannelLogoutUrl}" title="${client.name}" hidden></iframe></li>
      </#list>
    </ul>
    <#if logout.logoutRedirectUri?has_content>
      <div class="actions"><@ways.way id="continue" href=logout.logoutRedirectUri label="doContinue" type="primary" /></div>
    </#if>
  </#if>
</@layout.registrationLayout>
