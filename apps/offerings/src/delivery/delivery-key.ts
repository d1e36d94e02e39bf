import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

// 192 random bits cannot be guessed.
const keyBytes = 24;

/** A key of one offering's download page. It needs no encoding in a URL. */
export function newDeliveryKey(): string {
  return randomBytes(keyBytes).toString('base64url');
}

/** Compares in constant time, so that the duration reveals nothing about the key. */
export function keyMatches(given: string, key: string): boolean {
  return timingSafeEqual(digest(given), digest(key));
}

/** The stored form of a key. Its many random bits need no salt and no slow hash. */
export function keyHash(key: string): string {
  return digest(key).toString('hex');
}

// `timingSafeEqual` needs equal lengths, and digests hide the length of the key.
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
