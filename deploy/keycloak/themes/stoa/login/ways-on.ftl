<#-- Ways on from a page that ends here. -->
<#assign site = (realm.attributes.siteUrl)!((client.baseUrl)!"")?remove_ending("/")>

<#macro way href label type="secondary" id="">
<a<#if id?has_content> id="${id}"</#if> class="${properties['kcButton' + type?cap_first + 'Class']}" href="${href}">${msg(label)}</a>
</#macro>
