<#-- Overridden for its missing title. -->
<#import "template.ftl" as layout>
<@layout.registrationLayout; section>
  <#if section = "header">
    ${msg("organization.select")}
  <#elseif section = "form">
    <form action="${url.loginAction}" method="post">
      <ul class="choices" role="list">
        <#list user.organizations as organization>
          <li><button type="submit" class="card-button" data-busy="off" name="kc.org" value="${organization.alias!}"><strong>${organization.name!}</strong></button></li>
        </#list>
      </ul>
    </form>
  </#if>
</@layout.registrationLayout>
