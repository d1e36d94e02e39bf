/** What of one's own account one may change on Keycloak's pages; the realm asks for a log-in before each of them. */
export const accountActions = [
  'UPDATE_PASSWORD',
  'UPDATE_EMAIL',
  'webauthn-register',
  'CONFIGURE_TOTP',
  'CONFIGURE_RECOVERY_AUTHN_CODES',
  'delete_credential',
] as const;

/** Whether a log-in may be begun with these parameters: for none but our own actions, and with nothing said elsewhere. */
export function mayBegin(query: URLSearchParams): boolean {
  // A request object could name an action of its own.
  if (query.has('request') || query.has('request_uri')) return false;
  // Other modes hide from the proxy whether an answer is an error.
  if (!['query', 'fragment'].includes(query.get('response_mode') ?? 'query')) return false;
  const action = query.get('kc_action');
  if (action === null) return true;
  const [alias = ''] = action.split(/:(.*)/s);
  const takesParameter = alias === 'delete_credential';
  return accountActions.some((known) => known === alias) && (takesParameter || alias === action);
}
