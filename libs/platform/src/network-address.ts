import ipaddr from 'ipaddr.js';

// What one subscriber gets: a whole IPv4 address, but 64 bits' worth of IPv6 ones.
const subscriberBytes = 8;

/**
 * The network that an address stands for when something is counted by address: IPv4 whole, also when it is written
 * as IPv6, and of IPv6 the first 64 bits. What is no address stands for itself: a proxy may hand on anything.
 */
export function subscriberNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return `${parsed.kind()} ${parsed.toByteArray().slice(0, subscriberBytes).join('.')}`;
}
