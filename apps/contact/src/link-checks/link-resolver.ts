import { isPublicAddress } from '@stoa/platform';
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';

export interface Target {
  readonly address: string;
  /** Replaces the port of the link. Only tests set it. */
  readonly port?: number | undefined;
}

export type Resolution =
  | { kind: 'target'; target: Target }
  | { kind: 'no_such_host' }
  /** `refused`: at least one address of the name is not public. `unknown`: the DNS lookup failed. */
  | { kind: 'refused' | 'unknown' };

/** Finds all IP addresses of a name. @throws an error with a code of Node's DNS module, such as ENOTFOUND. */
export type Lookup = (name: string) => Promise<readonly string[]>;

/** Returns a lookup that queries only DNS. The hosts file of the machine could name internal hosts. */
export function dnsLookup({ timeoutMs }: { timeoutMs: number }): Lookup {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 });
  return async (name) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    const failures = [v4, v6].flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
    // The name is unknown only if neither lookup (IPv4, IPv6) failed for another reason.
    throw failures.find((failure) => !isUnknownName(failure)) ?? failures[0];
  };
}

/** Resolves a name to a public IP address. It refuses the name if any of its addresses is not public. */
export async function resolvePublic(hostname: string, lookup: Lookup): Promise<Resolution> {
  // URL.parse converts every spelling of an IPv4 address, such as 0x7f.1, to four decimal numbers.
  const literal = hostname.replace(/^\[|\]$/g, '');
  if (isIP(literal)) return targetOf([literal]);
  try {
    return targetOf(await lookup(hostname.replace(/\.$/, '')));
  } catch (error) {
    return { kind: isUnknownName(error) ? 'no_such_host' : 'unknown' };
  }
}

function targetOf(addresses: readonly string[]): Resolution {
  // Prefers IPv4, because many clusters have no outgoing IPv6.
  const address = addresses.find((one) => isIP(one) === 4) ?? addresses[0];
  if (address === undefined) return { kind: 'no_such_host' };
  return addresses.every(isPublicAddress) ? { kind: 'target', target: { address } } : { kind: 'refused' };
}

function isUnknownName(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === 'ENOTFOUND' || code === 'ENODATA';
}
