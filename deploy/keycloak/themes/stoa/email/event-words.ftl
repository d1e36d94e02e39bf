<#-- What each mail about an event names: whose account, what of it, and when, as the mails of the services write it. -->
<#setting locale="en_GB">
<#setting time_zone="UTC">

<#-- As the mails of the services have it (libs/platform/src/mail-layout.ts): no name that is hidden, or that mail programs make a link of. -->
<#function name>
  <#local shown = (user.attributes.displayName)!"">
  <#local fits = shown?matches(r"(?=.*\S)(?:[^\p{C}]|[\u200c\u200d]){1,80}")>
  <#local links = shown?matches(r"(?s).*(?:[\p{L}\p{N}-][.\u3002\uff0e\uff61][\p{L}\p{N}-]{2}|\S[:@]\S).*")>
  <#return (fits && !links)?then(shown, (user.username)!"")>
</#function>

<#function at><#return event.date?datetime?string("d MMMM yyyy 'at' HH:mm") + " UTC"></#function>

<#function credential>
  <#local key = "credential." + (event.getDetail("credential_type")!"unknown")>
  <#local words = msg(key)>
  <#return (words == key)?then(msg("credential.unknown"), words)>
</#function>
