import { limits, type SiteConfig } from '@stoa/contracts';
import {
  processEnvironment,
  certificateEnvironment,
  Environment,
  proxiesEnvironment,
  reaches,
} from '@stoa/platform';
import { z } from 'zod';

export class GatewayConfig extends Environment(
  processEnvironment.extend({
    PORT: z.coerce.number().int().min(0).max(65535).describe('Port of the site and the API.'),
    OIDC_ISSUER: z.url().describe('Issuer of accepted tokens.'),
    OIDC_JWKS_URL: z.url().describe("Address of the issuer's public keys.").meta(reaches('keycloak')),
    OIDC_AUDIENCE: z.string().min(1).describe('Audience that a token must name.'),
    KEYCLOAK_URL: z.url().describe('Public address of Keycloak, for the browser.').meta(reaches('nothing')),
    KEYCLOAK_REALM: z.string().min(1).describe('Realm of the accounts.'),
    KEYCLOAK_CLIENT_ID: z.string().min(1).describe('OpenID Connect client of the browser.'),
    MEDIA_PUBLIC_URL: z.url().describe('Public address of the pictures.').meta(reaches('nothing')),
    S3_PUBLIC_ENDPOINT: z
      .url()
      .describe('Public address for uploads by the browser.')
      .meta(reaches('nothing')),
    WEB_ROOT: z.string().min(1).describe("Folder of the SPA's built files."),
    ...proxiesEnvironment.shape,
    ...certificateEnvironment.shape,
    RATE_LIMIT_PER_MINUTE: z.coerce
      .number()
      .int()
      .min(1)
      .default(600)
      .describe('Requests to the API per minute and network address.'),
    DOWNLOAD_LIMIT_PER_MINUTE: z.coerce
      .number()
      .int()
      .min(1)
      .default(60)
      .describe('Requests of the download page per minute and network address.'),
    PAGE_LIMIT_PER_MINUTE: z.coerce
      .number()
      .int()
      .min(1)
      .default(3000)
      .describe('Requests for pages, their files and the API document, per minute and network address.'),
    VISIT_LIMIT_PER_MINUTE: z.coerce
      .number()
      .int()
      .min(1)
      .default(120)
      .describe("Reported visits of creators' pages, per minute and network address."),
    VISIT_LIMIT_PER_DAY: z.coerce
      .number()
      .int()
      .min(1)
      .default(500)
      .describe(
        "Counted visits of one creator's pages, per day and network address. Further visits are not counted.",
      ),
    REPORT_LIMIT_PER_HOUR: z.coerce
      .number()
      .int()
      .min(1)
      .default(limits.reportsPerHour)
      .describe("Reports of creators' pages per hour and network address."),
    PAGE_PATIENCE_MS: z.coerce
      .number()
      .int()
      .min(1)
      .default(200)
      .describe('Longest time that a page waits for its data. Without its data the browser loads it.'),
    READ_TIMEOUT_MS: z.coerce
      .number()
      .int()
      .min(1)
      // A load balancer may wait for one gateway and then try another. Both must end within the 2 s that a read may take.
      .default(1400)
      .describe('Longest time that a read request waits for services.'),
    PUBLIC_READS_BYTES: z.coerce
      .number()
      .int()
      .min(1_000_000)
      .default(64 * 1024 * 1024)
      .describe('Memory of the cache of public responses, in bytes.'),
    PUBLIC_READS_LOADING: z.coerce
      .number()
      .int()
      .min(1)
      .default(1000)
      .describe(
        'Concurrent loads of public responses per route. Further loads wait for half a second, and then get 503 with Retry-After.',
      ),
    PUBLIC_READS_FRESH_SECONDS: z.coerce
      .number()
      .min(1)
      .default(300)
      .describe('How long a cached response is fresh, if no event invalidates it.'),
    PUBLIC_READS_STALE_SECONDS: z.coerce
      .number()
      .min(0)
      .default(86_400)
      .describe('Age up to which a stale response is served, with its Age, while its source fails.'),
    PUBLIC_READS_SAMPLED: z.coerce
      .number()
      .min(0)
      .max(1)
      .default(0.01)
      .describe('Share of cached public reads that are traced and logged.'),
    PUBLIC_READS_SAMPLED_PER_SECOND: z.coerce
      .number()
      .min(0)
      .default(20)
      .describe('Limit of traced and logged cached reads per second, so that they stay cheap under load.'),
    PUBLIC_READS_SHARED_SECONDS: z.coerce
      .number()
      .int()
      .min(0)
      .default(0)
      .describe('How long a shared cache, such as a CDN, may serve public responses (s-maxage).'),
    PUBLIC_READS_REVALIDATE_SECONDS: z.coerce
      .number()
      .int()
      .min(0)
      .default(0)
      .describe('How much longer it may serve them while it revalidates (stale-while-revalidate).'),
    API_DOCS: z
      .enum(['on', 'off'])
      .default('on')
      .describe('Whether /api/docs and /api/openapi.json are served.'),
    HASH_KEY: z
      .string()
      .min(16)
      .describe('Key of the hashes that replace network addresses; the same in every replica.'),
  }),
) {}

/** The settings of this installation that the web app needs in the browser. */
export const siteConfig = (config: GatewayConfig): SiteConfig => ({
  keycloak: {
    url: config.KEYCLOAK_URL,
    realm: config.KEYCLOAK_REALM,
    clientId: config.KEYCLOAK_CLIENT_ID,
  },
  mediaUrl: config.MEDIA_PUBLIC_URL,
});
