/** An expected failure. Its message is one sentence with the remedy and is shown without a stack. */
export class Problem extends Error {
  override readonly name = 'Problem';
}

export interface SeedSettings {
  siteUrl: string;
  /** The issuer URL of the realm; by default the site provides it. */
  issuer?: string;
  password: string;
  /** Number of creators, the sample profile first; by default all. */
  count?: number;
  /** The rights to make an account an operator. Without them there is no operator, and no reports. */
  admin?: { url: string; realm: string; setUpSecret: string };
  log?: (line: string) => void;
}

export function settingsFromEnvironment(env: NodeJS.ProcessEnv): SeedSettings {
  const password = env['SEED_PASSWORD'];
  if (!password) {
    throw new Problem(
      'SEED_PASSWORD is not set: give the password that the demo accounts have or shall have.',
    );
  }
  return {
    siteUrl: (env['SITE_URL'] || 'http://localhost:8080').replace(/\/+$/, ''),
    issuer: issuerFrom(env),
    password,
    count: countFrom(env['SEED_CREATORS']),
    admin: adminFrom(env),
  };
}

function issuerFrom(env: NodeJS.ProcessEnv): string | undefined {
  if (env['OIDC_ISSUER']) return env['OIDC_ISSUER'];
  const url = env['KEYCLOAK_URL'];
  return url && `${url.replace(/\/+$/, '')}/realms/${env['KEYCLOAK_REALM'] || 'stoa'}`;
}

function adminFrom(env: NodeJS.ProcessEnv): SeedSettings['admin'] {
  const { KEYCLOAK_ADMIN_URL: url, KEYCLOAK_SETUP_SECRET: setUpSecret } = env;
  return url && setUpSecret ? { url, setUpSecret, realm: env['KEYCLOAK_REALM'] || 'stoa' } : undefined;
}

function countFrom(text: string | undefined): number | undefined {
  if (!text) return undefined;
  const count = Number(text);
  if (Number.isInteger(count) && count > 0) return count;
  throw new Problem(`SEED_CREATORS is "${text}": give the number of creators to seed, from 1.`);
}
