import { isPublicAddress } from '@stoa/platform';
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';

/** Where a connection goes: the name is asked for no second time. */
export interface Target {
  readonly address: string;
  /** Another port than the link's own; under test alone. */
  readonly port?: number | undefined;
}

/** What became of a name: an address that may be reached, or why there is none. */
export type Resolution =
  | { kind: 'target'; target: Target }
  /** The name is known to lead nowhere. */
  | { kind: 'nowhere' }
  /** It leads into some network, or nobody can say where to. */
  | { kind: 'refused' | 'unknown' };

/** Asks for all addresses of a name. @throws an error with the code of c-ares. */
export type Lookup = (name: string) => Promise<readonly string[]>;

/**
 * The addresses of a name by DNS itself: neither the hosts file of this machine nor its search domains, which would
 * find what is inside.
 */
export function lookupByDns({ timeoutMs }: { timeoutMs: number }): Lookup {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 });
  return async (name) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    const failures = [v4, v6].flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
    // A server that fails for one kind of address has not said that there is no other.
    throw failures.find((failure) => !leadsNowhere(failure)) ?? failures[0];
  };
}

/** Resolves names to addresses of the public internet. One address among them that is none refuses the name. */
export async function resolvePublic(hostname: string, lookup: Lookup): Promise<Resolution> {
  // WHATWG URLs have brought every spelling of an IPv4 address into four parts by now.
  const literal = hostname.replace(/^\[|\]$/g, '');
  if (isIP(literal)) return targetOf([literal]);
  try {
    return targetOf(await lookup(hostname.replace(/\.$/, '')));
  } catch (error) {
    return { kind: leadsNowhere(error) ? 'nowhere' : 'unknown' };
  }
}

function targetOf(addresses: readonly string[]): Resolution {
  // IPv4 first: many clusters have no way out by IPv6.
  const address = addresses.find((one) => isIP(one) === 4) ?? addresses[0];
  if (address === undefined) return { kind: 'nowhere' };
  return addresses.every(isPublicAddress) ? { kind: 'target', target: { address } } : { kind: 'refused' };
}

function leadsNowhere(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  // NXDOMAIN, and a name without addresses.
  return code === 'ENOTFOUND' || code === 'ENODATA';
}
