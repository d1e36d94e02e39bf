<#-- Overridden for recognisable links, and for a text that names the action. -->
<#import "template.ftl" as layout>
<#import "ways-on.ftl" as ways>
<#import "purpose.ftl" as purpose>
<@layout.registrationLayout displayMessage=false; section>
  <#if section = "header">
    <#if (messageHeader!"") == "accountUpdatedTitle"><@purpose.words key="accountUpdatedTitle" fallback="accountUpdatedTitle" purposes=["VERIFY_EMAIL"] />
    <#elseif messageHeader??>${kcSanitize(msg("${messageHeader}"))?no_esc}<#else>${message.summary}</#if>
  <#elseif section = "form">
    <div id="kc-info-message">
      <#if messageHeader?? || requiredActions??>
        <p class="instruction"><#if (messageHeader!"") == "accountUpdatedTitle" && message.summary == msg("accountUpdatedMessage")><@purpose.words key="accountUpdatedMessage" fallback="accountUpdatedMessage" purposes=["VERIFY_EMAIL"] /><#else>${message.summary}</#if><#if requiredActions??><#list requiredActions>: <b><#items as action>${kcSanitize(msg("requiredAction.${action}"))?no_esc}<#sep>, </#items></b></#list></#if></p>
      </#if>
      <#if !skipLink??>
        <div class="actions">
          <#if actionUri?has_content>
            <@ways.way href=actionUri label="proceedWithAction" type="primary" />
          <#elseif pageRedirectUri?has_content>
            <@ways.way href=pageRedirectUri label="backToApplication" type="primary" />
          <#else>
            <@ways.way href="${ways.site}/dashboard" label="toDashboard" type="primary" />
            <@ways.way href="${ways.site}/" label="backToApplication" />
          </#if>
        </div>
      </#if>
    </div>
  </#if>
</@layout.registrationLayout>
