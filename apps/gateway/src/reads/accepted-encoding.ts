import { LRUCache } from 'lru-cache';

export type Encoding = 'br' | 'gzip' | 'identity';

// Browsers send a few different headers. The limit protects memory against invented ones.
const known = new LRUCache<string, Encoding>({ max: 200 });

/** The best supported encoding that the `Accept-Encoding` header allows. */
export function acceptedEncoding(header: string | undefined): Encoding {
  if (!header) return 'identity';
  const seen = known.get(header);
  if (seen) return seen;
  const taken = header
    .toLowerCase()
    .split(',')
    .map((part) => part.trim().split(/\s*;\s*q\s*=\s*/))
    .filter(([, weight = '1']) => Number(weight) > 0)
    .map(([name]) => name);
  const any = taken.includes('*');
  const best = any || taken.includes('br') ? 'br' : taken.includes('gzip') ? 'gzip' : 'identity';
  known.set(header, best);
  return best;
}
