<#-- Words for each purpose of a page. Keycloak does not name the purpose here: the proxy in front of it shows the words that
     apply in place of those for none. -->
<#macro words key purposes fallback>
<span data-purpose="none">${msg(fallback)}</span><#list purposes as purpose><span data-purpose="${purpose}" hidden>${msg(key + "." + purpose)}</span></#list>
</#macro>

<#macro confirmation>
<@words key="confirmIdentity" fallback="confirmIdentity"
  purposes=["UPDATE_PASSWORD", "UPDATE_EMAIL", "webauthn-register", "CONFIGURE_TOTP", "CONFIGURE_RECOVERY_AUTHN_CODES",
    "delete_credential", "delete-account", "export-account", "payment-link", "decision"] />
</#macro>
