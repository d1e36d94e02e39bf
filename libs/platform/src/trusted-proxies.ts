import { BlockList, isIP } from 'node:net';
import { z } from 'zod';

const Ranges = z.string().transform((text, context) => {
  const ranges = new BlockList();
  const named = text.split(',').flatMap((range) => range.trim() || []);
  for (const range of named) {
    // Requires digits in a prefix: an empty one would be read as 0, which trusts every address.
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

export const proxiesEnvironment = z.object({
  TRUST_PROXY: z.coerce
    .number()
    .int()
    .min(0)
    .default(0)
    .describe('Number of proxies in front that are trusted to report the address of a visitor.'),
  TRUST_PROXY_FROM: Ranges.optional().describe(
    'Address ranges of these proxies, comma-separated; without them every peer counts as a proxy.',
  ),
});

/** Fastify's `trustProxy`: whether the hop is one of the proxies in front; hop 0 is the nearest. */
export function trustedProxies({
  TRUST_PROXY,
  TRUST_PROXY_FROM: ranges,
}: z.infer<typeof proxiesEnvironment>) {
  return (address: string, hop: number): boolean =>
    hop < TRUST_PROXY && (!ranges || ranges.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4'));
}
