import type { GatewayConfig } from '../gateway.config.ts';
import { alwaysRevalidate, type ResponseKind } from './cached-response.ts';

type Settings = Pick<
  GatewayConfig,
  'PUBLIC_READS_SHARED_SECONDS' | 'PUBLIC_READS_REVALIDATE_SECONDS' | 'PUBLIC_READS_FRESH_SECONDS'
>;

/**
 * The `Cache-Control` header of public responses. Without a shared cache, clients revalidate each time, and get 304 without a
 * body if nothing has changed.
 */
function cacheControl(config: Settings): string {
  const { PUBLIC_READS_SHARED_SECONDS: shared, PUBLIC_READS_REVALIDATE_SECONDS: revalidate } = config;
  if (shared === 0) return alwaysRevalidate;
  return `public, max-age=0, s-maxage=${shared}${revalidate > 0 ? `, stale-while-revalidate=${revalidate}` : ''}`;
}

/** How long public responses are cached, in memory and in shared caches. */
export const publicLifetime = (
  config: Settings,
): Pick<ResponseKind, 'cacheControl' | 'freshMs' | 'sharedMs'> => ({
  cacheControl: cacheControl(config),
  freshMs: config.PUBLIC_READS_FRESH_SECONDS * 1000,
  sharedMs: (config.PUBLIC_READS_SHARED_SECONDS + config.PUBLIC_READS_REVALIDATE_SECONDS) * 1000,
});
