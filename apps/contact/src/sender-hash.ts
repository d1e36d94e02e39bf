import ipaddr from 'ipaddr.js';
import { createHmac } from 'node:crypto';

// What one subscriber gets: a whole IPv4 address, but 64 bits' worth of IPv6 ones.
const subscriberBytes = 8;

/**
 * The network that an address stands for, under a keyed hash: enough to count by, and without the key no way back,
 * since all IPv4 addresses are tried in minutes.
 */
export function hashSender(address: string, key: string): string {
  return createHmac('sha256', key).update(networkOf(address)).digest('base64url');
}

function networkOf(address: string): string {
  // A proxy may hand on anything; what is no address is still one sender.
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return `${parsed.kind()} ${parsed.toByteArray().slice(0, subscriberBytes).join('.')}`;
}
