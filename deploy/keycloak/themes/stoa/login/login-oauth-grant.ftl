<#-- Overridden: the parent puts a paragraph and a picture into the title, and addresses as they come into links. -->
<#import "template.ftl" as layout>
<#import "buttons.ftl" as buttons>
<@layout.registrationLayout; section>
  <#assign name = client.name?has_content?then(advancedMsg(client.name), client.clientId)>
  <#if section = "header">
    ${msg("oauthGrantTitle", name)}
  <#elseif section = "form">
    <p class="instruction">${msg("oauthGrantRequest")}</p>
    <ul class="${properties.kcListClass!}">
      <#list oauth.clientScopesRequested![] as scope>
        <li><#if scope.parameterizedScopeParameter??>${advancedMsg(scope.consentScreenText, scope.parameterizedScopeParameter)}<#else>${advancedMsg(scope.consentScreenText)}</#if></li>
      </#list>
    </ul>
    <#if client.attributes.policyUri?? || client.attributes.tosUri??>
      <p class="info">
        ${msg("oauthGrantInformation", name)}
        <#if client.attributes.tosUri??><a href="${client.attributes.tosUri}" target="_blank" rel="noopener">${msg("termsOfService")}</a></#if>
        <#if client.attributes.policyUri??><a href="${client.attributes.policyUri}" target="_blank" rel="noopener">${msg("privacyPolicy")}</a></#if>
      </p>
    </#if>
    <form class="${properties.kcFormClass} ${properties.kcMarginTopClass!}" action="${url.oauthAction}" method="post">
      <input type="hidden" name="code" value="${oauth.code}">
      <@buttons.actionGroup horizontal=true>
        <@buttons.button id="kc-login" name="accept" label="doYes" fullWidth=false />
        <@buttons.button id="kc-cancel" name="cancel" label="doNo" type="secondary" fullWidth=false />
      </@buttons.actionGroup>
    </form>
  </#if>
</@layout.registrationLayout>
