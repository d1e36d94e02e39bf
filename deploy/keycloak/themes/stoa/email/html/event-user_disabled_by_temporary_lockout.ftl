<#import "template.ftl" as layout>
<#import "../event-words.ftl" as words>
<@layout.emailLayout>
<p>${msg("greeting", words.name())}</p>
${kcSanitize(msg("eventUserDisabledByTemporaryLockoutHtml", words.at()))?no_esc}
</@layout.emailLayout>
