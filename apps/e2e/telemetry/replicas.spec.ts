import { type App, freePorts } from '@stoa/system';
import { controlProcess } from '../src/process-control.ts';
import { makeCreator, newToken, type TestCreator } from '../src/creators.ts';
import { type Replica, startReplica } from '../src/replica.ts';
import { SteadyLoad } from '../src/steady-load.ts';
import { theSystem } from '../src/system.ts';
import { type Span, TelemetryReceiver } from '../src/telemetry-receiver.ts';
import { expect, test } from '../src/telemetry-test.ts';

const services = ['identity', 'creators', 'offerings', 'media', 'contact'] as const satisfies App[];
// The second replicas send their telemetry to their own receiver, so that tests see which replica answers.
const second = new TelemetryReceiver();
const replicas = new Map<App, Replica>();
let creator: TestCreator;
let token: string;
let secondGateway: string;

/** Milliseconds, longer than a load balancer takes to notice that a gateway is not ready. */
const noticeMs = 1000;

test.describe.configure({ mode: 'serial' });

test.beforeAll(async () => {
  const ports = await freePorts();
  await second.listen(ports.minio);
  creator = await makeCreator();
  secondGateway = `http://127.0.0.1:${ports.site}`;
  const telemetry = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${ports.minio}`,
    OTEL_BSP_SCHEDULE_DELAY: '250',
  };
  const own = { PORT: String(ports.site), TRUST_PROXY: '1', SHUTDOWN_DELAY_MS: String(noticeMs) };
  const starting = (['gateway', ...services] as const).map(async (app, index) => {
    const settings = { ...telemetry, ...(app === 'gateway' && own) };
    replicas.set(app, await startReplica(app, ports.health + index, settings));
  });
  await Promise.all(starting);
});

// The tests last longer than a token. With an expired one, the gateway would refuse requests before any service gets them.
test.beforeEach(async () => {
  token = await newToken(creator);
});

test.afterAll(async () => {
  await Promise.all([...replicas.values()].map((replica) => replica.stop()));
  second.close();
});

/** The services that this replica answers for. */
const answeredBy = (spans: readonly Span[]) => [
  ...new Set(spans.filter(({ kind }) => kind === 'server').map(({ service }) => service)),
];

/** Runs `work` under steady load, and expects that no request fails. */
async function underLoad(work: (load: SteadyLoad) => Promise<void>, address?: () => string): Promise<void> {
  const load = new SteadyLoad(token, 4, address);
  try {
    await moreAnswers(load);
    await work(load);
    await moreAnswers(load);
  } finally {
    await load.stop();
  }
  expect(load.lost).toEqual([]);
}

/** Waits until each visitor has probably sent a request to each service. */
async function moreAnswers(load: SteadyLoad): Promise<void> {
  const before = load.answered;
  await expect.poll(() => load.answered + load.lost.length - before, { timeout: 60_000 }).toBeGreaterThan(40);
}

test('two replicas of each service share the requests', async ({ receiver: first }) => {
  const before = first.spans.length;
  await underLoad(async () => {
    for (const spans of [() => first.spans.slice(before), () => second.spans])
      await expect
        .poll(() => answeredBy(spans()), { timeout: 60_000 })
        .toEqual(expect.arrayContaining(services));
  });
});

for (const service of services) {
  test(`stopping one of two replicas of ${service} under load loses no request`, async () => {
    await underLoad(async (load) => {
      await controlProcess('stop', service);
      await moreAnswers(load);
      await controlProcess('start', service);
    });
  });
}

test('stopping one of two gateways under load loses no request', async () => {
  const gateway = replicas.get('gateway');
  if (!gateway) throw new Error('The second gateway did not start.');
  let addresses = [secondGateway, theSystem().siteUrl];
  let turn = 0;
  const address = () => addresses[(turn += 1) % addresses.length] ?? '';
  await underLoad(async () => {
    const stopped = gateway.stop();
    // Uses only ready gateways, as a load balancer does.
    await expect.poll(() => gateway.isReady(), { intervals: [50] }).toBe(false);
    addresses = [theSystem().siteUrl];
    expect(await stopped).toBe(0);
    replicas.delete('gateway');
  }, address);
});
