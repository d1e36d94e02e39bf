import type { SecondFactor } from '@stoa/contracts';
import type { Credential } from '../keycloak/keycloak.client.ts';

/** Maps Keycloak's types of credentials to the kinds of the API. */
const kinds: Record<string, SecondFactor['kind']> = {
  otp: 'authenticator',
  webauthn: 'passkey',
  'webauthn-passwordless': 'passkey',
  'recovery-authn-codes': 'recovery_codes',
};

export function secondFactorOf({ id, type, userLabel, createdDate }: Credential): SecondFactor | undefined {
  const kind = kinds[type];
  const added = new Date(createdDate);
  const addedAt = Number.isNaN(added.getTime()) ? null : added.toISOString();
  return kind && { id, kind, name: userLabel, addedAt };
}
