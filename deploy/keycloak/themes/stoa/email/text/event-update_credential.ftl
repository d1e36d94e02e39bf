<#ftl output_format="plainText">
<#import "../event-words.ftl" as words>
${msg("greeting", words.name())}

${msg("eventUpdateCredentialBody", words.credential(), words.at(), event.ipAddress)}

--${" "}
${msg("mailFooter")}
