import { limits, type SiteConfig } from '@stoa/contracts';
import {
  busClientEnvironment,
  certificateEnvironment,
  Environment,
  proxiesEnvironment,
  reaches,
} from '@stoa/platform';
import { z } from 'zod';

export class GatewayConfig extends Environment(
  busClientEnvironment.extend({
    PORT: z.coerce.number().int().min(0).max(65535).describe('Port of the site and the API.'),
    OIDC_ISSUER: z.url().describe('Issuer of the tokens that are taken.'),
    OIDC_JWKS_URL: z.url().describe("Where the issuer's public keys are.").meta(reaches('keycloak')),
    OIDC_AUDIENCE: z.string().min(1).describe('Audience that a token must name.'),
    KEYCLOAK_URL: z.url().describe('Public address of Keycloak, for the browser.').meta(reaches('nothing')),
    KEYCLOAK_REALM: z.string().min(1).describe('Realm of the accounts.'),
    KEYCLOAK_CLIENT_ID: z.string().min(1).describe('Client that the browser signs in with.'),
    MEDIA_PUBLIC_URL: z.url().describe('Public address of the pictures.').meta(reaches('nothing')),
    S3_PUBLIC_ENDPOINT: z.url().describe('Where the browser posts uploads.').meta(reaches('nothing')),
    WEB_ROOT: z.string().min(1).describe("Folder of the SPA's built files."),
    ...proxiesEnvironment.shape,
    ...certificateEnvironment.shape,
    RATE_LIMIT_PER_MINUTE: z.coerce
      .number()
      .int()
      .min(1)
      .default(600)
      .describe('Requests a minute and address.'),
    DOWNLOAD_LIMIT_PER_MINUTE: z.coerce
      .number()
      .int()
      .min(1)
      .default(60)
      .describe('Calls for the download page a minute and address.'),
    PAGE_LIMIT_PER_MINUTE: z.coerce
      .number()
      .int()
      .min(1)
      .default(3000)
      .describe('Pages, their files and the API documents, a minute and address.'),
    VISIT_LIMIT_PER_MINUTE: z.coerce
      .number()
      .int()
      .min(1)
      .default(120)
      .describe("Visits of creators' pages that are counted, a minute and address."),
    VISIT_LIMIT_PER_DAY: z.coerce
      .number()
      .int()
      .min(1)
      .default(500)
      .describe(
        "Visits of one creator's pages that are counted, a day and address. Further ones are left out.",
      ),
    REPORT_LIMIT_PER_HOUR: z.coerce
      .number()
      .int()
      .min(1)
      .default(limits.reportsPerHour)
      .describe("Reports of creators' pages an hour and address."),
    PAGE_PATIENCE_MS: z.coerce
      .number()
      .int()
      .min(1)
      .default(200)
      .describe('Longest time that a page waits for its data; without it the browser asks for them.'),
    READ_TIMEOUT_MS: z.coerce
      .number()
      .int()
      .min(1)
      // A load balancer may give another gateway up before: both together keep within the two seconds that a read may take.
      .default(1400)
      .describe('Longest time that a request which only reads waits for services.'),
    PUBLIC_READS_BYTES: z.coerce
      .number()
      .int()
      .min(1_000_000)
      .default(64 * 1024 * 1024)
      .describe('Memory for public answers that are kept, in bytes.'),
    PUBLIC_READS_LOADING: z.coerce
      .number()
      .int()
      .min(1)
      .default(1000)
      .describe(
        'Public answers of one kind that are asked of services at once; one more waits for half a second, and is refused with 503 and Retry-After then.',
      ),
    PUBLIC_READS_FRESH_SECONDS: z.coerce
      .number()
      .min(1)
      .default(300)
      .describe('How long a kept answer counts that no event has changed.'),
    PUBLIC_READS_STALE_SECONDS: z.coerce
      .number()
      .min(0)
      .default(86_400)
      .describe('Age up to which a kept answer is given, with its age, while it cannot be asked for anew.'),
    PUBLIC_READS_SAMPLED: z.coerce
      .number()
      .min(0)
      .max(1)
      .default(0.01)
      .describe(
        'Share of plain public reads that go the way of all requests, with spans and a line in the log.',
      ),
    PUBLIC_READS_SAMPLED_PER_SECOND: z.coerce
      .number()
      .min(0)
      .default(20)
      .describe('At most so many of them a second: under load a fixed share would be most of the work.'),
    PUBLIC_READS_SHARED_SECONDS: z.coerce
      .number()
      .int()
      .min(0)
      .default(0)
      .describe('How long a shared cache in front, such as a CDN, may keep public answers (s-maxage).'),
    PUBLIC_READS_REVALIDATE_SECONDS: z.coerce
      .number()
      .int()
      .min(0)
      .default(0)
      .describe('How much longer it may give them while it asks again (stale-while-revalidate).'),
    API_DOCS: z
      .enum(['on', 'off'])
      .default('on')
      .describe('Whether /api/docs and /api/openapi.json are there for everybody.'),
    HASH_KEY: z
      .string()
      .min(16)
      .describe('Key of the hashes that stand for network addresses; the same in every replica.'),
  }),
) {}

/** What a browser must know of this installation. */
export const siteConfig = (config: GatewayConfig): SiteConfig => ({
  keycloak: {
    url: config.KEYCLOAK_URL,
    realm: config.KEYCLOAK_REALM,
    clientId: config.KEYCLOAK_CLIENT_ID,
  },
  mediaUrl: config.MEDIA_PUBLIC_URL,
});
