<#-- The public address of the site without a trailing slash, for templates that include this file. -->
<#assign site = ((realm.attributes.siteUrl)!((client.baseUrl)!""))?remove_ending("/")>
