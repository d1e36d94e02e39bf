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

const widerBytes = { ipv4: 3, ipv6: 6 } as const;

/**
 * The wider network of an address, where several subscribers of one provider or one customer with many networks stand: IPv4
 * by /24, IPv6 by /48. What is no address stands for itself.
 */
export function widerNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return `${parsed.kind()} ${parsed.toByteArray().slice(0, widerBytes[parsed.kind()]).join('.')}`;
}

// Unicast by their registry, yet answered by the machine's own host: Azure's WireServer.
const hostOfTheMachine = new Set(['168.63.129.16']);

/**
 * Whether an address is one of the public internet: none of a private, shared or local network, of the machine itself, of
 * many at once or of a transition that carries an IPv4 address within (NAT64, 6to4, Teredo; an IPv4 one written as IPv6
 * is taken for what it is). What is no address is not public either.
 */
export function isPublicAddress(address: string): boolean {
  // Four parts in decimal: 127.1 and 0x7f000001 are spellings that others read in other ways.
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv6) {
    if (parsed.zoneId) return false;
    if (parsed.isIPv4MappedAddress()) return isPublicAddress(parsed.toIPv4Address().toString());
    // Only 2000::/3 is given out; whatever else may be routed somewhere is not.
    if ((parsed.parts[0] ?? 0) >> 13 !== 1) return false;
  }
  return parsed.range() === 'unicast' && !hostOfTheMachine.has(parsed.toString());
}
