import { type App, hasDatabase, type PartName } from '@stoa/system';
import { LateStart, replicasAnswering } from '../src/late-parts.ts';
import { makeCreator } from '../src/creators.ts';
import { theSystem } from '../src/system.ts';
import { expect, test } from '../src/test.ts';

/** Whether an app is sent work while a part that it uses is away. One that is says itself what cannot be done. */
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

/** Each part alone, and all of them, which come in both orders. */
const absences = (app: App): PartName[][] => {
  const all = partsOf(app);
  return [...all.map((part) => [part]), all, all.toReversed()];
};

/** Starts the app with these parts away, and brings them one after the other. */
async function startWithout(app: App, away: readonly PartName[]): Promise<void> {
  const process = await LateStart.of(app, away);
  const waits = [...away];
  const title = (what: string) => `${app} without ${waits.join(', ') || 'nothing'}: ${what}`;
  const isAsTold = async () => {
    const missing = waits.filter((part) => uses[app][part] === 'not ready');
    const ready = async () => {
      const told = await process.readiness();
      return { ...told, missing: [...told.missing].toSorted() };
    };
    await expect
      .poll(ready, { ...within, message: title('readiness') })
      .toEqual({ status: missing.length > 0 ? 503 : 200, missing: missing.toSorted() });
    expect(process.hasEnded, title('it has ended')).toBe(false);
  };
  let ended: Promise<number | null> | undefined;
  try {
    await expect.poll(() => process.liveness(), { ...within, message: title('liveness') }).toBe(200);
    await isAsTold();
    for (const part of away) {
      await process.bring(part);
      waits.shift();
      await isAsTold();
    }
    expect(await process.liveness()).toBe(200);
    if (away.length > 1) await works(app, process);
  } finally {
    ended = process.stop();
    await ended;
  }
  expect(await ended, title('how it ended')).toBe(0);
}

/** That it does its work by then, and not only says so. */
async function works(app: App, { ports }: LateStart): Promise<void> {
  const statusOf =
    (port: number, path: string, headers = {}) =>
    () =>
      fetch(`http://127.0.0.1:${port}${path}`, { headers }).then(({ status }) => status, String);
  if (hasDatabase(app)) {
    await expect.poll(() => replicasAnswering(app), within).toBeGreaterThanOrEqual(2);
  } else if (app === 'gateway') {
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
  test(`${app} starts while any part that it uses is away, and is ready by itself once it comes`, async () => {
    // Several processes start side by side.
    test.slow();
    await Promise.all(absences(app).map((away) => startWithout(app, away)));
  });
