import { z } from 'zod';
import { Problem } from '../problem.ts';

/** The environment of the command `set-up`, without the secrets of its steps. */
export const SetUpEnvironment = z.object({
  POSTGRES_ADDRESS: z.string().default('postgres:5432').describe('Host and port of Postgres.'),
  POSTGRES_OPTIONS: z
    .string()
    .default('')
    .describe('Appended to the address of every database, such as `?sslmode=verify-full`.'),
  NATS_URL: z
    .string()
    .default('nats://nats:4222')
    .describe('Addresses of the NATS servers, comma-separated.'),
  STREAM_REPLICAS: z
    .enum(['1', '3', '5'], { error: 'a stream is kept 1, 3 or 5 times' })
    .default('1')
    .describe('Number of servers that store each stream; 3 in a cluster of three.'),
  S3_ENDPOINT: z.string().default('http://minio:9000').describe('Address of the object store.'),
  KEYCLOAK_INTERNAL_URL: z.string().default('http://keycloak:8080').describe('Address of Keycloak.'),
});

/**
 * The settings of `set-up`. An empty variable counts as missing.
 *
 * @throws Problem that names every invalid variable.
 */
export function setUpSettings(env: NodeJS.ProcessEnv): z.infer<typeof SetUpEnvironment> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value));
  const parsed = SetUpEnvironment.safeParse(given);
  if (parsed.success) return parsed.data;
  const wrong = parsed.error.issues.map(
    ({ path, message }) => `${path.join('.')} is "${given[String(path[0])]}": ${message}.`,
  );
  throw new Problem(wrong.join('\n'));
}
