<#-- Overridden because the parent's script stands in the page, which apps/edge forbids. What is wrong with a password the server says. -->
<#macro templates></#macro>
<#macro script field=""></#macro>
