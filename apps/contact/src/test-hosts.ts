import { isIP } from 'node:net';
import type { Resolution } from './link-resolver.ts';
import { resolvePublic } from './link-resolver.ts';

/**
 * In place of DNS, for tests: `name=127.0.0.1:4711` leads there in spite of the guard, `name=10.0.0.1` is what DNS
 * answers and the guard judges, `name=` is no such name. No other name is known, so that nothing outside is reached.
 */
export function resolveForTests(hosts: string): (hostname: string) => Promise<Resolution> {
  const known = new Map(
    hosts.split(',').map((entry) => {
      const [name = '', place = ''] = entry.trim().split('=');
      return [name, place] as const;
    }),
  );
  return async (hostname) => {
    const place = known.get(hostname);
    if (place === '') return { kind: 'nowhere' };
    const [address = '', port] = place?.split(':') ?? [];
    if (port !== undefined && isIP(address) === 4)
      return { kind: 'target', target: { address, port: Number(port) } };
    return resolvePublic(hostname, async () => {
      if (place === undefined) throw Object.assign(new Error('no such host here'), { code: 'EREFUSED' });
      return [place];
    });
  };
}
