import { createHash, createHmac, randomBytes } from 'node:crypto';
import { keyHash, newDeliveryKey } from '../delivery/delivery-key.ts';

// As many random bits as the hash has.
const saltBytes = 32;
const keyBytes = 24;

export function newKeySalt(): string {
  return randomBytes(saltBytes).toString('base64url');
}

/**
 * The key that a request gives to a sale. A repeat must get the same key: a new one would end the key that the buyer may
 * have. Only its hash is stored, so it is derived again from the request's id, which is stored as a hash too.
 */
export function keyOfRequest(salt: string, requestId: string | undefined): string {
  if (requestId === undefined) return newDeliveryKey();
  return createHmac('sha256', salt).update(requestId).digest().subarray(0, keyBytes).toString('base64url');
}

/** The current key of the sale if this request has given it; otherwise null. */
export function keyAgain(
  { keySalt, keyHash: stored }: { readonly keySalt: string; readonly keyHash: string },
  requestId: string | undefined,
): string | null {
  const key = keyOfRequest(keySalt, requestId);
  return keyHash(key) === stored ? key : null;
}

/** What the inbox may record of a request that derives a key: its id itself would reveal the key to readers of the database. */
export function recordableId(requestId: string | undefined): string | undefined {
  return requestId && createHash('sha256').update(requestId).digest('base64url');
}
