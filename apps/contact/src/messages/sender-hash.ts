import { subscriberNetwork, widerNetwork } from '@stoa/platform';
import { createHmac } from 'node:crypto';

/**
 * Keyed hash of the sender's network. Without a key, trying all IPv4 addresses would reverse it in minutes.
 */
export function hashSender(address: string, key: string): string {
  return createHmac('sha256', key).update(subscriberNetwork(address)).digest('base64url');
}

export function hashNetwork(address: string, key: string): string {
  return createHmac('sha256', key)
    .update(`network ${widerNetwork(address)}`)
    .digest('base64url');
}
