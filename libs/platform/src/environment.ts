import { z } from 'zod';

type Config<S extends z.ZodObject> = { new (): z.infer<S>; readonly schema: S };

/**
 * What a process opens connections to, said by the variable that holds the address: `.meta(reaches('nats'))`.
 * An address that is only handed on, to browsers, reaches nothing. The call graph of docs/architecture.md and
 * the network policies follow from it.
 */
export const reaches = (
  part: 'nats' | 'postgres' | 's3' | 'keycloak' | 'mail' | 'collector' | 'internet' | 'nothing',
) => ({
  reaches: part,
});

/** What every process reads from its environment. */
export const processEnvironment = z.object({
  SERVICE_NAME: z.string().min(1).describe('Name in logs, traces and the bus.'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Least level that is logged.'),
  NATS_URL: z
    .string()
    .min(1)
    .describe('Addresses of the NATS servers, comma-separated.')
    .meta(reaches('nats')),
  NATS_USER: z.string().min(1).describe('NATS user; also names the inbox prefix.'),
  NATS_PASSWORD: z.string().min(1).describe('Password of the NATS user.'),
  HEALTH_PORT: z.coerce.number().int().min(0).max(65535).describe('Port of /health/live and /health/ready.'),
  BIND_ADDRESS: z.string().default('0.0.0.0').describe('Address that the HTTP ports listen on.'),
  SITE_URL: z.url().describe('Public address of the site.').meta(reaches('nothing')),
  SHUTDOWN_DELAY_MS: z.coerce
    .number()
    .int()
    .min(0)
    .default(0)
    .describe('Time between readiness turning 503 and the drain, for load balancers to notice.'),
  REQUEST_CONCURRENCY: z.coerce.number().int().min(1).default(32).describe('Requests worked on at once.'),
  REQUEST_BACKLOG: z.coerce
    .number()
    .int()
    .min(0)
    .default(256)
    .describe('Requests that may wait; further ones are refused.'),
  EVENT_MAX_ATTEMPTS: z.coerce
    .number()
    .int()
    .min(1)
    .default(10)
    .describe('Deliveries after which a failing event becomes a dead letter.'),
});

/** What a service that stores links of creators also reads. */
export const linksEnvironment = z.object({
  ALLOW_PRIVATE_LINKS: z
    .stringbool()
    .default(false)
    .describe('Whether links may lead to addresses and names inside a network; for development only.'),
});

/** What the gateway also reads, which sends requests to services. */
export const busClientEnvironment = processEnvironment.extend({
  REQUEST_SIGNING_KEY: z
    .string()
    .min(1)
    .describe('Private key that requests to services are signed with: Ed25519, PKCS #8, DER in base64.'),
});

/** What a service with a database also reads. */
export const serviceEnvironment = processEnvironment.extend({
  REQUEST_PUBLIC_KEYS: z
    .string()
    .min(1)
    .describe('Public keys that requests may be signed with, comma-separated: Ed25519, SPKI, DER in base64.'),
  DATABASE_URL: z
    .string()
    .min(1)
    .describe("Address of this service's own Postgres database.")
    .meta(reaches('postgres')),
  DATABASE_POOL: z.coerce.number().int().min(1).default(8).describe('Connections held by the repository.'),
});

/** What a service that answers visitors also reads. */
export const publicReadsEnvironment = z.object({
  DATABASE_READ_URL: z
    .string()
    .optional()
    .describe('Address of a read replica of the database, for public reads; empty without one.')
    .meta(reaches('postgres')),
});

/**
 * A class that reads `process.env` by `schema` when Nest makes it, usable as its own injection token.
 *
 * @throws Error listing every variable that is missing or wrong.
 */
export function Environment<S extends z.ZodObject>(schema: S): Config<S> {
  function Parsed(this: object) {
    const parsed = schema.safeParse(process.env);
    if (!parsed.success) {
      const wrong = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
      throw new Error(`The environment is not complete:\n${wrong.join('\n')}`);
    }
    Object.assign(this, parsed.data);
  }
  return Object.assign(Parsed, { schema }) as unknown as Config<S>;
}

// Most requests wait for 5 s: this leaves time to say that there was no free connection.
const connectionTimeoutMillis = 4000;

/** Options of every service's Prisma client, without its pool. */
export const clientOptions = {
  // The long form prints what a query was given.
  errorFormat: 'minimal',
  // By itself Prisma gives a transaction half the time that the pool gives a query.
  transactionOptions: { maxWait: connectionTimeoutMillis },
} as const;

/** Settings of a service's connection pool: a database that is silent must not hold requests for ever. */
export function poolOptions({ DATABASE_URL, DATABASE_POOL }: z.infer<typeof serviceEnvironment>) {
  const { hostname: host, port, pathname } = new URL(DATABASE_URL);
  return {
    // Read again from the address by the driver; here they name the pool in metrics.
    host,
    port: Number(port || 5432),
    database: pathname.slice(1),
    connectionString: DATABASE_URL,
    max: DATABASE_POOL,
    connectionTimeoutMillis,
    // Longer than any request waits, so that only what nobody waits for is cut.
    query_timeout: 35_000,
    keepAlive: true,
  };
}

/** The part of the environment that the platform itself uses. */
export class ProcessConfig extends Environment(processEnvironment) {}

/** The part of the environment that the platform uses in the gateway. */
export class BusClientConfig extends Environment(busClientEnvironment) {}

/** The part of the environment that the platform uses in a service with a database. */
export class ServiceConfig extends Environment(serviceEnvironment) {}
