import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';

/** With what the gateway signs requests, and with what services verify them: DER in base64 (RFC 4648, section 5). */
export interface RequestKeys {
  signingKey: string;
  publicKeys: string;
}

/** A fresh key pair, Ed25519. */
export function makeRequestKeys(): RequestKeys {
  const { privateKey } = generateKeyPairSync('ed25519');
  const signingKey = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64url');
  return { signingKey, publicKeys: publicKeyOf(signingKey) };
}

/** The public half of a signing key. */
export function publicKeyOf(signingKey: string): string {
  const key = createPrivateKey({ key: Buffer.from(signingKey, 'base64'), format: 'der', type: 'pkcs8' });
  return createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64url');
}
