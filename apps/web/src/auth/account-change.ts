/** What Keycloak calls the things that one may change of one's own account. */
const accountActions = [
  'UPDATE_PASSWORD',
  'UPDATE_EMAIL',
  'webauthn-register',
  'CONFIGURE_TOTP',
  'CONFIGURE_RECOVERY_AUTHN_CODES',
  'delete_credential',
] as const;
export type AccountAction = (typeof accountActions)[number];

const outcomes = ['success', 'cancelled', 'error'] as const;

export interface AccountChange {
  action: AccountAction;
  outcome: (typeof outcomes)[number];
}

/** What Keycloak says of a change in the address that it leads back to. */
export function changeIn(hash: string): AccountChange | undefined {
  const answer = new URLSearchParams(hash.replace(/^#/, ''));
  return accountChangeOf({ action: answer.get('kc_action'), outcome: answer.get('kc_action_status') });
}

/** The same from what a page was told; an address and a history can hold anything. */
export function accountChangeOf(told: unknown): AccountChange | undefined {
  if (typeof told !== 'object' || told === null || !('action' in told && 'outcome' in told)) return undefined;
  const action = accountActions.find((known) => known === told.action);
  const outcome = outcomes.find((known) => known === told.outcome);
  return action && outcome && { action, outcome };
}
