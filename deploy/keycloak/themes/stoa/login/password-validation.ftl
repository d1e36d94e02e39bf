<#-- Overridden because the parent has an inline script, which apps/edge forbids. The server validates passwords. -->
<#macro templates></#macro>
<#macro script field=""></#macro>
