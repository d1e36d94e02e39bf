<#ftl output_format="plainText">
<#import "../event-words.ftl" as words>
${msg("greeting", words.name())}

${msg("eventUpdateTotpBody", words.at(), event.ipAddress)}

--${" "}
${msg("mailFooter")}
