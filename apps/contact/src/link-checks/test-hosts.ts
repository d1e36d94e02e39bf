import { isIP } from 'node:net';
import type { Resolution } from './link-resolver.ts';
import { resolvePublic } from './link-resolver.ts';

/**
 * Replaces DNS in tests. `name=127.0.0.1:4711` connects to this local server without validation.
 * `name=10.0.0.1` is a DNS answer that is validated. `name=` is an unknown name. All other names fail, so
 * that tests never connect to the internet.
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
    if (place === '') return { kind: 'no_such_host' };
    const [address = '', port] = place?.split(':') ?? [];
    if (port !== undefined && isIP(address) === 4)
      return { kind: 'target', target: { address, port: Number(port) } };
    return resolvePublic(hostname, async () => {
      if (place === undefined) throw Object.assign(new Error('not a test host'), { code: 'EREFUSED' });
      return [place];
    });
  };
}
