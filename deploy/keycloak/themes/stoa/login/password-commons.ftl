<#-- Overridden: a changed credential always ends every other session, without a checkbox. -->
<#macro logoutOtherSessions>
  <input type="hidden" id="logout-sessions" name="logout-sessions" value="on">
</#macro>
