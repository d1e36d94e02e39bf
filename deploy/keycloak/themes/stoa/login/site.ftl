<#-- The public address of the site, without a slash at its end, for whichever template includes this. -->
<#assign site = ((realm.attributes.siteUrl)!((client.baseUrl)!""))?remove_ending("/")>
