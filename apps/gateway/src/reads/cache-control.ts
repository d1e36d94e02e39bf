import type { GatewayConfig } from '../gateway.config.ts';

type Settings = Pick<GatewayConfig, 'PUBLIC_READS_SHARED_SECONDS' | 'PUBLIC_READS_REVALIDATE_SECONDS'>;

/**
 * What caches may do with a public answer. Without one in front everybody asks again each time, and an unchanged answer
 * costs no body (ETag).
 */
export function publicCacheControl(config: Settings): string {
  const { PUBLIC_READS_SHARED_SECONDS: shared, PUBLIC_READS_REVALIDATE_SECONDS: revalidate } = config;
  if (shared === 0) return 'public, no-cache';
  return `public, max-age=0, s-maxage=${shared}${revalidate > 0 ? `, stale-while-revalidate=${revalidate}` : ''}`;
}
