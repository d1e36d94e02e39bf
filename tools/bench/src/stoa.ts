import { signUp } from '@stoa/realm';
import { freePorts, startSystem, type System, withClient } from '@stoa/system';
import { startReplica } from '@stoa/system/apps/start-replica';
import { healthPort } from '@stoa/system/settings/ports';
import { testEnvironment } from '@stoa/system/testing/test-environment';
import type { Sites } from './benchmarks.ts';
import { type Databases, fill } from './fill.ts';

/** Production settings, without the rate limits that a single client address would reach. */
const settings = {
  PUBLIC_READS_SAMPLED: '0.01',
  PUBLIC_READS_SAMPLED_PER_SECOND: '20',
  TRACED_READS_PER_SECOND: '100',
  TRACED_WRITES_PER_SECOND: '100',
  RATE_LIMIT_PER_MINUTE: '1000000000',
  PAGE_LIMIT_PER_MINUTE: '1000000000',
  OTEL_BSP_SCHEDULE_DELAY: '5000',
  OTEL_METRIC_EXPORT_INTERVAL: '60000',
  OTEL_METRIC_EXPORT_TIMEOUT: '30000',
};

/** Starts the whole product with `size` creators, each with three offerings. */
export async function startFilled(size: number, overrides: Record<string, string> = {}): Promise<System> {
  const system = await startEmpty(overrides);
  await fillSystem(system, size);
  return system;
}

/** Starts the whole product without data. */
export async function startEmpty(overrides: Record<string, string> = {}): Promise<System> {
  console.error('Starting the system…');
  const system = await startSystem({
    // Both sides sync to disk at each commit, as in production.
    durable: true,
    overrides: { ...settings, ...overrides },
  });
  await withClient(urlsOf(system).creators, async (client) => {
    const { username } = new URL(system.postgres.urls.creators);
    // The direct program writes to a table of its own; rows in `outbox` would slow down the relay.
    await client.query(
      `CREATE TABLE twin_outbox (LIKE outbox INCLUDING ALL); GRANT INSERT ON twin_outbox TO "${username}"`,
    );
  });
  return system;
}

/** Replaces all data by `size` creators, each with three offerings. */
export async function fillSystem(system: Pick<System, 'postgres'>, size: number): Promise<void> {
  const began = performance.now();
  await fill(urlsOf(system), size);
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(`Filled with ${size.toLocaleString('en')} creators in ${seconds} s.`);
}

/** Database addresses of the admin user, which may skip triggers. */
function urlsOf({ postgres: { adminUrl, migrationUrls } }: Pick<System, 'postgres'>): Databases {
  const asAdmin = (url: string) => Object.assign(new URL(adminUrl), { pathname: new URL(url).pathname }).href;
  return { creators: asAdmin(migrationUrls.creators), offerings: asAdmin(migrationUrls.offerings) };
}

/** Starts a second gateway. Returns its address and a function that stops it. */
export async function startSecondGateway(
  system: System,
): Promise<{ url: string; stop: () => Promise<unknown> }> {
  const ports = await freePorts();
  const { stop } = await startReplica('gateway', {
    healthPort: healthPort(ports, 'gateway'),
    environment: {
      ...system.environment('gateway'),
      ...testEnvironment(system.ports),
      ...settings,
      PORT: String(ports.site),
      SHUTDOWN_DELAY_MS: '0',
    },
  });
  return { url: `http://127.0.0.1:${ports.site}`, stop };
}

/** Signs up eight creators with profiles. */
export async function signUpOwners(system: System): Promise<Sites['owners']> {
  const issuer = `${system.keycloak.publicUrl}/realms/${system.keycloak.realm}`;
  const flow = { issuer, clientId: 'web', redirectUri: `${system.siteUrl}/auth/callback` };
  const opened = [];
  for (let position = 0; position < 8; position += 1) {
    const username = `baker-${position}`;
    const tokens = await signUp({
      ...flow,
      // Different client addresses avoid the rate limit of sign-ups.
      headers: { 'x-forwarded-for': `10.0.7.${position + 1}` },
      username,
      email: `${username}@example.com`,
      displayName: `Baker ${position}`,
      password: `a long passphrase ${position} of an owner`,
    });
    const headers = { authorization: `Bearer ${tokens.accessToken}` };
    const answer = await fetch(`${system.siteUrl}/api/session`, { method: 'POST', headers });
    if (!answer.ok) throw new Error(`No profile for ${username}: ${answer.status} ${await answer.text()}`);
    opened.push({ username, token: tokens.accessToken });
  }
  return opened;
}
