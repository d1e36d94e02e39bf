import { type App, hasDatabase, type PartName } from '@stoa/system';
import { isAnswering, ProxiedApp, services } from '../src/proxied-app.ts';
import { makeCreator } from '@stoa/e2e/creators';
import { whileDown } from '@stoa/e2e/process-control';
import { theSystem } from '@stoa/e2e/system';
import { expect, test } from '@stoa/e2e/test';

/** Whether an app is ready while a part that it uses is away. A ready app itself refuses what it cannot do. */
type While = 'ready' | 'not ready';

const uses: Record<App, Partial<Record<PartName, While>>> = {
  gateway: { nats: 'ready', keycloak: 'ready' },
  edge: { nats: 'ready', keycloak: 'ready', minio: 'ready' },
  identity: { nats: 'not ready', postgres: 'not ready', keycloak: 'ready', mail: 'ready' },
  creators: { nats: 'not ready', postgres: 'not ready' },
  offerings: { nats: 'not ready', postgres: 'not ready' },
  media: { nats: 'not ready', postgres: 'not ready', minio: 'ready' },
  contact: { nats: 'not ready', postgres: 'not ready', mail: 'ready' },
};

const partsOf = (app: App) => Object.keys(uses[app]) as PartName[];
const within = { timeout: 60_000, intervals: [50, 100, 200] };

/** Each part alone, and all of them, which return in both orders. */
const absences = (app: App): PartName[][] => {
  const all = partsOf(app);
  return [...all.map((part) => [part]), all, all.toReversed()];
};

/** Starts the app while these parts are away, and connects them one after the other. */
async function startWithout(app: App, away: readonly PartName[]): Promise<void> {
  const process = await ProxiedApp.of(app, away);
  const waits = [...away];
  const title = (what: string) => `${app} without ${waits.join(', ') || 'nothing'}: ${what}`;
  const expectReadiness = async () => {
    const missing = waits.filter((part) => uses[app][part] === 'not ready');
    const ready = async () => {
      const reported = await process.readiness();
      return { ...reported, missing: [...reported.missing].toSorted() };
    };
    await expect
      .poll(ready, { ...within, message: title('readiness') })
      .toEqual({ status: missing.length > 0 ? 503 : 200, missing: missing.toSorted() });
    expect(process.hasEnded, title('it has ended')).toBe(false);
  };
  let ended: Promise<number | null> | undefined;
  try {
    await expect.poll(() => process.liveness(), { ...within, message: title('liveness') }).toBe(200);
    await expectReadiness();
    for (const part of away) {
      await process.connect(part);
      waits.shift();
      await expectReadiness();
    }
    expect(await process.liveness()).toBe(200);
    if (away.length > 1 && !hasDatabase(app)) await works(app, process);
  } finally {
    ended = process.stop();
    await ended;
  }
  expect(await ended, title('how it ended')).toBe(0);
}

/** Checks that the app works by then, beyond its readiness. */
async function works(app: App, { ports }: ProxiedApp): Promise<void> {
  const statusOf =
    (port: number, path: string, headers = {}) =>
    () =>
      fetch(`http://127.0.0.1:${port}${path}`, { headers }).then(({ status }) => status, String);
  if (app === 'gateway') {
    const { token } = await makeCreator();
    const authorization = `Bearer ${token}`;
    await expect.poll(statusOf(ports.site, '/api/me', { authorization }), within).toBe(200);
  } else {
    const { keycloak, minio } = theSystem();
    const wellKnown = `/realms/${keycloak.realm}/.well-known/openid-configuration`;
    await expect.poll(statusOf(ports.keycloak, wellKnown), within).toBe(200);
    await expect
      .poll(statusOf(ports.minio, `/${minio.buckets.public}/profile_pictures/none`), within)
      .toBe(404);
  }
}

for (const app of Object.keys(uses) as App[])
  test(`${app} starts while parts that it uses are away, and becomes ready once they are back`, async () => {
    // Allows triple time, because several processes start concurrently.
    test.slow();
    await Promise.all(absences(app).map((away) => startWithout(app, away)));
  });

for (const service of services)
  test(`${service} answers as the only replica once the parts missing at its start are back`, async () => {
    const process = await ProxiedApp.of(service, partsOf(service));
    try {
      for (const part of partsOf(service)) await process.connect(part);
      await expect.poll(async () => (await process.readiness()).status, within).toBe(200);
      await whileDown(service, () => expect.poll(() => isAnswering(service), within).toBe(true));
    } finally {
      await process.stop();
    }
  });
