import { expect, test } from '@jest/globals';
import { publicLifetime } from './cache-control.ts';

const settings = {
  PUBLIC_READS_FRESH_SECONDS: 300,
  PUBLIC_READS_SHARED_SECONDS: 0,
  PUBLIC_READS_REVALIDATE_SECONDS: 0,
};

test.each([
  { shared: 0, revalidate: 0, header: 'public, no-cache', sharedMs: 0 },
  { shared: 5, revalidate: 0, header: 'public, max-age=0, s-maxage=5', sharedMs: 5000 },
  {
    ...{ shared: 5, revalidate: 60, sharedMs: 65_000 },
    header: 'public, max-age=0, s-maxage=5, stale-while-revalidate=60',
  },
])(
  'a shared cache may serve a response for $shared s, and $revalidate s more during revalidation',
  (kept) => {
    const lifetime = publicLifetime({
      ...settings,
      PUBLIC_READS_SHARED_SECONDS: kept.shared,
      PUBLIC_READS_REVALIDATE_SECONDS: kept.revalidate,
    });
    expect(lifetime).toEqual({ cacheControl: kept.header, freshMs: 300_000, sharedMs: kept.sharedMs });
  },
);
