/** The account changes that Keycloak's pages offer. Keycloak's realm requires a recent log-in for each. */
export const accountActions = [
  'UPDATE_PASSWORD',
  'UPDATE_EMAIL',
  'webauthn-register',
  'CONFIGURE_TOTP',
  'CONFIGURE_RECOVERY_AUTHN_CODES',
  'delete_credential',
] as const;

/** Whether a log-in request names only actions of `accountActions`, and has all its parameters in the query. */
export function isAllowedLogIn(query: URLSearchParams): boolean {
  // A request object (OpenID Connect Core, 6) could contain another action, which the proxy would not see.
  if (query.has('request') || query.has('request_uri')) return false;
  // With other response modes the proxy cannot detect whether a log-in succeeded.
  if (!['query', 'fragment'].includes(query.get('response_mode') ?? 'query')) return false;
  const action = query.get('kc_action');
  if (action === null) return true;
  const [alias = ''] = action.split(/:(.*)/s);
  const takesParameter = alias === 'delete_credential';
  return accountActions.some((known) => known === alias) && (takesParameter || alias === action);
}
