<#-- The account, the object and the time of an event, in the format of the services' mails. -->
<#setting locale="en_GB">
<#setting time_zone="UTC">

<#-- Keycloak knows only the display name of the sign-up, which may have changed. The username is permanent, and
     no mail program turns it into a link. -->
<#function name><#return (user.username)!""></#function>

<#function at><#return event.date?datetime?string("d MMMM yyyy 'at' HH:mm") + " UTC"></#function>

<#function credential>
  <#local key = "credential." + (event.getDetail("credential_type")!"unknown")>
  <#local words = msg(key)>
  <#return (words == key)?then(msg("credential.unknown"), words)>
</#function>
