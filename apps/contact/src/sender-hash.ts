import { subscriberNetwork, widerNetwork } from '@stoa/platform';
import { createHmac } from 'node:crypto';

/**
 * The network that an address stands for, under a keyed hash: enough to count by, and without the key no way back,
 * since all IPv4 addresses are tried in minutes.
 */
export function hashSender(address: string, key: string): string {
  return createHmac('sha256', key).update(subscriberNetwork(address)).digest('base64url');
}

/** The wider network around it, under the same key and apart from the hashes of addresses. */
export function hashNetwork(address: string, key: string): string {
  return createHmac('sha256', key)
    .update(`network ${widerNetwork(address)}`)
    .digest('base64url');
}
