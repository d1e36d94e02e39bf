<#ftl output_format="plainText">
<#import "../event-words.ftl" as words>
${msg("greeting", words.name())}

${msg("eventUserDisabledByTemporaryLockoutBody", words.at())}

--${" "}
${msg("mailFooter")}
