<#ftl output_format="plainText">
<#import "../event-words.ftl" as words>
${msg("greeting", words.name())}

${msg("eventRemoveTotpBody", words.at(), event.ipAddress)}

--${" "}
${msg("mailFooter")}
