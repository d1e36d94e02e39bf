<#-- What each mail about an event names: whose account, what of it, and when, as the mails of the services write it. -->
<#setting locale="en_GB">
<#setting time_zone="UTC">

<#-- Keycloak knows the display name of the sign-up alone, which its owner may have given up. A username stays, and no mail program makes a link of one. -->
<#function name><#return (user.username)!""></#function>

<#function at><#return event.date?datetime?string("d MMMM yyyy 'at' HH:mm") + " UTC"></#function>

<#function credential>
  <#local key = "credential." + (event.getDetail("credential_type")!"unknown")>
  <#local words = msg(key)>
  <#return (words == key)?then(msg("credential.unknown"), words)>
</#function>
