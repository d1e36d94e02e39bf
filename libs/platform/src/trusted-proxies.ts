import { BlockList, isIP } from 'node:net';
import { z } from 'zod';

const Ranges = z.string().transform((text, context) => {
  const ranges = new BlockList();
  const named = text.split(',').flatMap((range) => range.trim() || []);
  for (const range of named) {
    // A prefix that is left out after the slash would be 0, which trusts everybody.
    const [, network = '', prefix] = /^([^/]+)(?:\/(\d+))?$/.exec(range.trim()) ?? [];
    const family = isIP(network) === 6 ? 'ipv6' : 'ipv4';
    try {
      ranges.addSubnet(network, Number(prefix ?? (family === 'ipv6' ? 128 : 32)), family);
    } catch {
      context.addIssue(`"${range}" is no range of addresses, such as 10.1.0.0/16`);
    }
  }
  return named.length > 0 ? ranges : undefined;
});

/** What a process reads that may stand behind proxies. */
export const proxiesEnvironment = z.object({
  TRUST_PROXY: z.coerce
    .number()
    .int()
    .min(0)
    .default(0)
    .describe('Proxies in front whose word about the address of a visitor is taken.'),
  TRUST_PROXY_FROM: Ranges.optional().describe(
    'Ranges of addresses, comma-separated, that those proxies have; without one whoever connects is taken for a proxy.',
  ),
});

/** Fastify's `trustProxy`: whether the hop is one of the proxies in front, the nearest being the first. */
export function trustedProxies({
  TRUST_PROXY,
  TRUST_PROXY_FROM: ranges,
}: z.infer<typeof proxiesEnvironment>) {
  return (address: string, hop: number): boolean =>
    hop < TRUST_PROXY && (!ranges || ranges.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4'));
}
