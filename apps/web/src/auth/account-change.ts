/** Keycloak's names of the actions with which users change their own account. */
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

/** The outcome of a change, from the address of Keycloak's redirect. */
export function changeIn(hash: string): AccountChange | undefined {
  const answer = new URLSearchParams(hash.replace(/^#/, ''));
  return accountChangeOf({ action: answer.get('kc_action'), outcome: answer.get('kc_action_status') });
}

/** The same from untrusted values: an address or history state can contain anything. */
export function accountChangeOf(value: unknown): AccountChange | undefined {
  if (typeof value !== 'object' || value === null || !('action' in value && 'outcome' in value))
    return undefined;
  const action = accountActions.find((known) => known === value.action);
  const outcome = outcomes.find((known) => known === value.outcome);
  return action && outcome && { action, outcome };
}
