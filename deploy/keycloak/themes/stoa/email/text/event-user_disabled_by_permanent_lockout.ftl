<#ftl output_format="plainText">
<#import "../event-words.ftl" as words>
${msg("greeting", words.name())}

${msg("eventUserDisabledByPermanentLockoutBody", words.at())}

--${" "}
${msg("mailFooter")}
