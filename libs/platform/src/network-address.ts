import ipaddr from 'ipaddr.js';

// Bytes that identify one subscriber: a provider assigns a whole IPv4 address, or an IPv6 /64.
const subscriberBytes = 8;

/**
 * The network by which requests of an address are counted: an IPv4 address, also in IPv6 notation, or the /64 of an
 * IPv6 address. An invalid address, which a proxy may pass on, is returned unchanged.
 */
export function subscriberNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return `${parsed.kind()} ${parsed.toByteArray().slice(0, subscriberBytes).join('.')}`;
}

const widerBytes = { ipv4: 3, ipv6: 6 } as const;

/**
 * The wider network of an address, for several subscribers of one provider: /24 of IPv4, /48 of IPv6. An
 * invalid address is returned unchanged.
 */
export function widerNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return `${parsed.kind()} ${parsed.toByteArray().slice(0, widerBytes[parsed.kind()]).join('.')}`;
}

// Azure's WireServer: the registry lists its address as public, but the host of a virtual machine answers it.
const hostOfTheMachine = new Set(['168.63.129.16']);

/**
 * Whether an address belongs to the public internet. Excluded are private, shared, local, loopback and multicast
 * ranges, and IPv6 addresses that embed an IPv4 address (NAT64, 6to4, Teredo). An IPv4-mapped one is checked as IPv4.
 * Invalid addresses are not public.
 */
export function isPublicAddress(address: string): boolean {
  // Only four decimal parts: other programs read 127.1 and 0x7f000001 differently.
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv6) {
    if (parsed.zoneId) return false;
    if (parsed.isIPv4MappedAddress()) return isPublicAddress(parsed.toIPv4Address().toString());
    // Refuses everything outside 2000::/3, the only allocated range of IPv6.
    if ((parsed.parts[0] ?? 0) >> 13 !== 1) return false;
  }
  return parsed.range() === 'unicast' && !hostOfTheMachine.has(parsed.toString());
}
