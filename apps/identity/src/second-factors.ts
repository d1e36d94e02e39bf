import type { SecondFactor } from '@stoa/contracts';
import type { Credential } from './keycloak.client.ts';

/** By what Keycloak calls each type. */
const kinds: Record<string, SecondFactor['kind']> = {
  otp: 'authenticator',
  webauthn: 'passkey',
  'webauthn-passwordless': 'passkey',
  'recovery-authn-codes': 'recovery_codes',
};

/** A credential as its owner sees it; undefined for a password, and for what there is no page here to add. */
export function secondFactorOf({ id, type, userLabel, createdDate }: Credential): SecondFactor | undefined {
  const kind = kinds[type];
  const added = new Date(createdDate);
  const addedAt = Number.isNaN(added.getTime()) ? null : added.toISOString();
  return kind && { id, kind, name: userLabel, addedAt };
}
