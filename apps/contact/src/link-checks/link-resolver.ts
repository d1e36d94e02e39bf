import { isPublicAddress } from '@stoa/platform';
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';

/** The validated destination of a connection, without a second lookup of the name. */
export interface Target {
  readonly address: string;
  /** Overrides the link's port; tests only. */
  readonly port?: number | undefined;
}

/** The result of resolving a name. */
export type Resolution =
  | { kind: 'target'; target: Target }
  /** DNS confirmed that the name has no address. */
  | { kind: 'no_such_host' }
  /** `refused`: an address is not public. `unknown`: the lookup failed. */
  | { kind: 'refused' | 'unknown' };

/** Resolves all addresses of a name. @throws an error with the code of c-ares. */
export type Lookup = (name: string) => Promise<readonly string[]>;

/**
 * Resolves names by DNS only. The hosts file and the search domains of this machine are excluded because they
 * would find internal hosts.
 */
export function dnsLookup({ timeoutMs }: { timeoutMs: number }): Lookup {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 });
  return async (name) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    const failures = [v4, v6].flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
    // A failed lookup of one address family does not prove that the name is unknown.
    throw failures.find((failure) => !isUnknownName(failure)) ?? failures[0];
  };
}

/**
 * Resolves a name to an address of the public internet. Refuses the name if any of its addresses is not
 * public.
 */
export async function resolvePublic(hostname: string, lookup: Lookup): Promise<Resolution> {
  // The URL parser has already normalised every spelling of an IPv4 address to dotted decimal.
  const literal = hostname.replace(/^\[|\]$/g, '');
  if (isIP(literal)) return targetOf([literal]);
  try {
    return targetOf(await lookup(hostname.replace(/\.$/, '')));
  } catch (error) {
    return { kind: isUnknownName(error) ? 'no_such_host' : 'unknown' };
  }
}

function targetOf(addresses: readonly string[]): Resolution {
  // IPv4 first: many clusters have no outgoing IPv6.
  const address = addresses.find((one) => isIP(one) === 4) ?? addresses[0];
  if (address === undefined) return { kind: 'no_such_host' };
  return addresses.every(isPublicAddress) ? { kind: 'target', target: { address } } : { kind: 'refused' };
}

function isUnknownName(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  // NXDOMAIN, or a name without addresses.
  return code === 'ENOTFOUND' || code === 'ENODATA';
}
