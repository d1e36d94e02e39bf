<#-- One text for each purpose of a page. Keycloak does not know the purpose: the proxy shows the text that applies
     and hides the one for no purpose. -->
<#macro words key purposes fallback>
<span data-purpose="none">${msg(fallback)}</span><#list purposes as purpose><span data-purpose="${purpose}" hidden>${msg(key + "." + purpose)}</span></#list>
</#macro>

<#macro confirmation>
<@words key="confirmIdentity" fallback="confirmIdentity"
  purposes=["UPDATE_PASSWORD", "UPDATE_EMAIL", "webauthn-register", "CONFIGURE_TOTP", "CONFIGURE_RECOVERY_AUTHN_CODES",
    "delete_credential", "delete-account", "export-account", "payment-link", "decision"] />
</#macro>
