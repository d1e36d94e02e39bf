<#-- Overridden: whoever changes how they log in ends every other session, without a box that could be left empty. -->
<#macro logoutOtherSessions>
  <input type="hidden" id="logout-sessions" name="logout-sessions" value="on">
</#macro>
