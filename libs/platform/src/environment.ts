import { z } from 'zod';

type Config<S extends z.ZodObject> = { new (): z.infer<S>; readonly schema: S };

/**
 * Metadata that names the part to which a process connects, for the variable with its address:
 * `.meta(reaches('nats'))`. An address that is only passed on to browsers reaches `nothing`.
 * docs/reference/call-graph.md and the network policies are generated from it.
 */
export const reaches = (
  part: 'nats' | 'postgres' | 's3' | 'keycloak' | 'mail' | 'collector' | 'internet' | 'nothing',
) => ({
  reaches: part,
});

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
  REQUEST_CONCURRENCY: z.coerce.number().int().min(1).default(32).describe('Concurrent requests.'),
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

/** The environment variables of a service that stores links of creators. */
export const linksEnvironment = z.object({
  ALLOW_PRIVATE_LINKS: z
    .stringbool()
    .default(false)
    .describe('Whether links may lead to addresses and names inside a network; for development only.'),
});

/** Further settings of a service with a database. */
export const serviceEnvironment = processEnvironment.extend({
  DATABASE_URL: z
    .string()
    .min(1)
    .describe("Address of this service's own Postgres database.")
    .meta(reaches('postgres')),
  DATABASE_POOL: z.coerce
    .number()
    .int()
    .min(1)
    .default(8)
    .describe('Maximum connections of the connection pool.'),
});

/** The environment variables of a service that answers visitors. */
export const publicReadsEnvironment = z.object({
  DATABASE_READ_URL: z
    .string()
    .optional()
    .describe('Address of a read replica of the database, for public reads; empty without one.')
    .meta(reaches('postgres')),
});

/**
 * A class that reads `process.env` by `schema` when Nest creates it; it is its own injection token.
 *
 * @throws Error that lists every missing or invalid variable.
 */
export function Environment<S extends z.ZodObject>(schema: S): Config<S> {
  function Parsed(this: object) {
    const parsed = schema.safeParse(process.env);
    if (!parsed.success) {
      const wrong = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
      throw new Error(`The environment is not valid:\n${wrong.join('\n')}`);
    }
    Object.assign(this, parsed.data);
  }
  return Object.assign(Parsed, { schema }) as unknown as Config<S>;
}

// Wait for a free connection of the pool. Most requests wait for 5 s: the rest is time to report that no
// connection was free.
const connectionTimeoutMillis = 4000;

/** Options of every service's Prisma client, without its pool. */
export const clientOptions = {
  // The short form of errors: the long one prints the arguments of a query.
  errorFormat: 'minimal',
  // Waits for a connection as long as the pool does. Prisma's default is half of that.
  transactionOptions: { maxWait: connectionTimeoutMillis },
} as const;

/** Settings of a service's connection pool, with timeouts for a database that does not answer. */
export function poolOptions({ DATABASE_URL, DATABASE_POOL }: z.infer<typeof serviceEnvironment>) {
  const { hostname: host, port, pathname } = new URL(DATABASE_URL);
  return {
    // The driver reads these from the address; here they label the pool's metrics.
    host,
    port: Number(port || 5432),
    database: pathname.slice(1),
    connectionString: DATABASE_URL,
    max: DATABASE_POOL,
    connectionTimeoutMillis,
    // Longer than any request waits, so this timeout ends only abandoned queries.
    query_timeout: 35_000,
    keepAlive: true,
  };
}

export class ProcessConfig extends Environment(processEnvironment) {}

export class ServiceConfig extends Environment(serviceEnvironment) {}
