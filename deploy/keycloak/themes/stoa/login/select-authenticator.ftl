<#-- Overridden: real buttons, which a keyboard can operate. -->
<#import "template.ftl" as layout>
<@layout.registrationLayout displayInfo=false; section>
  <#if section = "header">
    ${msg("loginChooseAuthenticator")}
  <#elseif section = "form">
    <ul class="choices" role="list">
      <#list auth.authenticationSelections as selection>
        <li>
          <form action="${url.loginAction}" method="post">
            <input type="hidden" name="authenticationExecution" value="${selection.authExecId}">
            <button type="submit" class="card-button" data-busy="off">
              <span><strong>${msg(selection.displayName)}</strong> <small>${msg(selection.helpText)}</small></span>
              <i class="fa fa-angle-right" aria-hidden="true"></i>
            </button>
          </form>
        </li>
      </#list>
    </ul>
  </#if>
</@layout.registrationLayout>
