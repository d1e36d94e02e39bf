import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

// 192 random bits: not to be found by guessing.
const keyBytes = 24;

/** A key that opens one offering's download page; it fits into a URL as it is. */
export function newDeliveryKey(): string {
  return randomBytes(keyBytes).toString('base64url');
}

/** Whether `given` is the key. Takes as long for a nearly right one as for a wrong one. */
export function keyMatches(given: string, key: string): boolean {
  return timingSafeEqual(digest(given), digest(key));
}

// Digests have one length, which the comparison needs and which tells nothing.
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
