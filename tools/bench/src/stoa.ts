import { signUp } from '@stoa/realm';
import { startSystem, type System, withClient } from '@stoa/system';
import type { Sites } from './benchmarks.ts';
import { fill } from './fill.ts';

/**
 * Starts the whole product as shipped, but for limits that one address would meet, and fills it with `size` creators and
 * three offerings of each.
 */
export async function startFilled(size: number, overrides: Record<string, string> = {}): Promise<System> {
  console.error(`Starting the system, and filling it with ${size.toLocaleString('en')} creators…`);
  const system = await startSystem({
    // Both sides wait for the disk at each commit, as they would for anybody's data.
    durable: true,
    overrides: {
      PUBLIC_READS_SAMPLED: '0.01',
      TRACED_READS_PER_SECOND: '100',
      RATE_LIMIT_PER_MINUTE: '1000000000',
      PAGE_LIMIT_PER_MINUTE: '1000000000',
      OTEL_BSP_SCHEDULE_DELAY: '5000',
      OTEL_METRIC_EXPORT_INTERVAL: '60000',
      OTEL_METRIC_EXPORT_TIMEOUT: '30000',
      ...overrides,
    },
  });
  // Filling skips triggers and indexes, which only the admin user may.
  const { adminUrl, migrationUrls } = system.postgres;
  const asAdmin = (url: string) => Object.assign(new URL(adminUrl), { pathname: new URL(url).pathname }).href;
  const [creators, offerings] = [asAdmin(migrationUrls.creators), asAdmin(migrationUrls.offerings)];
  const began = performance.now();
  await fill({ creators, offerings }, size);
  await withClient(creators, async (client) => {
    const { username } = new URL(system.postgres.urls.creators);
    // What the direct program records is for nobody: in the outbox itself, each batch of the relay would look through it.
    await client.query(
      `CREATE TABLE twin_outbox (LIKE outbox INCLUDING ALL); GRANT INSERT ON twin_outbox TO "${username}"`,
    );
  });
  console.error(`Filled in ${((performance.now() - began) / 1000).toFixed(0)} s.`);
  return system;
}

/** Signs up eight creators who may edit themselves. */
export async function signUpOwners(system: System): Promise<Sites['owners']> {
  const issuer = `${system.keycloak.publicUrl}/realms/${system.keycloak.realm}`;
  const flow = { issuer, clientId: 'web', redirectUri: `${system.siteUrl}/auth/callback` };
  const opened = [];
  for (let position = 0; position < 8; position += 1) {
    const username = `owner-${position}`;
    const tokens = await signUp({
      ...flow,
      // Somebody else's address each, or the limit of sign-ups would be met.
      headers: { 'x-forwarded-for': `10.0.7.${position + 1}` },
      username,
      email: `${username}@example.com`,
      displayName: `Owner ${position}`,
      password: `a long passphrase ${position} of an owner`,
    });
    const headers = { authorization: `Bearer ${tokens.accessToken}` };
    const answer = await fetch(`${system.siteUrl}/api/session`, { method: 'POST', headers });
    if (!answer.ok) throw new Error(`No profile for ${username}: ${answer.status} ${await answer.text()}`);
    opened.push({ username, token: tokens.accessToken });
  }
  return opened;
}
