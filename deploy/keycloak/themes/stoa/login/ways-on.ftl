<#-- Links for continuing from a final page. -->
<#include "site.ftl">

<#macro way href label type="secondary" id="">
<a<#if id?has_content> id="${id}"</#if> class="${properties['kcButton' + type?cap_first + 'Class']}" href="${href}">${msg(label)}</a>
</#macro>
