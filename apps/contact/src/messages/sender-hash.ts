import { subscriberNetwork, widerNetwork } from '@stoa/platform';
import { createHmac } from 'node:crypto';

/**
 * Keyed hash of a subscriber's network, to count by. The key prevents reversal: all IPv4 addresses can be
 * tried in minutes.
 */
export function hashSender(address: string, key: string): string {
  return createHmac('sha256', key).update(subscriberNetwork(address)).digest('base64url');
}

/** Keyed hash of the wider network, distinct from the hashes of addresses. */
export function hashNetwork(address: string, key: string): string {
  return createHmac('sha256', key)
    .update(`network ${widerNetwork(address)}`)
    .digest('base64url');
}
