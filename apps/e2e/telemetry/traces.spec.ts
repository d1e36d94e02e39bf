import type { Problem } from '@stoa/contracts';
import { call } from '../src/api.ts';
import { command, without } from '../src/control.ts';
import { type LogLine, logLines } from '../src/logs.ts';
import type { Span, TelemetryReceiver } from '../src/telemetry-receiver.ts';
import { expect, test } from '../src/telemetry-test.ts';
import { ofUnknownKey } from '../src/token.ts';
import { labelOf, lostSpans, newOrigin, type Origin, traceparentOf, waysOf } from '../src/trace-walk.ts';
import { type Scene, useCases } from '../src/use-cases.ts';

let receiver: TelemetryReceiver;
let scene: Scene;

test.beforeAll(({ receiver: shared, scene: theirs, story: _ }) => {
  receiver = shared;
  scene = theirs;
});

const waysFrom = (origin: Origin) => [...waysOf(receiver.trace(origin.traceId), origin)].toSorted();
// What the apps could not hand over while nobody listened comes first, after a pause of theirs.
const patience = { timeout: 45_000 };

const parsed = (lines: readonly LogLine[]) =>
  lines.map(({ app, text }): Record<string, unknown> => ({ app, ...(JSON.parse(text) as object) }));

/** The lines that were logged with this trace, by app. */
const linesOf = (traceId: string) =>
  parsed(logLines().filter(({ text }) => text.includes(traceId))).filter(
    ({ trace_id }) => trace_id === traceId,
  );

for (const useCase of useCases) {
  test(`one trace with every span: ${useCase.name}`, async ({ story }) => {
    const played = story.plays.find((one) => one.useCase === useCase);
    if (!played) throw new Error('This use case was not played.');
    const { origin, status, text } = played;
    expect(status, text).toBe(useCase.status);
    if (status >= 400) expect((JSON.parse(text) as Problem).traceId).toBe(origin.traceId);

    await expect.poll(() => waysFrom(origin), patience).toEqual([...useCase.ways].toSorted());
    const spans = receiver.trace(origin.traceId);
    expect(lostSpans(spans, origin)).toEqual([]);
    expect(spans.filter(({ failed }) => failed).map(labelOf)).toEqual([]);
    const span_id: unknown = expect.stringMatching(/^[0-9a-f]{16}$/);
    const lines = parsed(story.lines).filter(({ trace_id }) => trace_id === origin.traceId);
    // Beside the one line of each answer there may be one of what it meant for somebody's security.
    expect(lines.filter(({ context }) => context !== 'Security')).toMatchObject([
      { app: 'gateway', status: useCase.status, span_id },
    ]);
    for (const line of lines) expect(line).toMatchObject({ app: 'gateway', span_id });
  });
}

test('every line that is logged while the use cases run carries the trace of one', ({ story }) => {
  expect(parsed(story.lines).filter(({ trace_id, span_id }) => !trace_id || !span_id)).toEqual([]);
});

test('a service that is down is an error of the whole trace, which the answer names', async () => {
  await command('stop', 'offerings');
  try {
    const origin = newOrigin();
    const headers = { traceparent: traceparentOf(origin) };
    const response = await call('GET', '/api/me/offerings', { token: scene.creator.token, headers });
    expect(response.status).toBe(503);
    expect(((await response.json()) as Problem).traceId).toBe(origin.traceId);
    const way = 'browser > gateway GET /api/me/offerings > gateway asks offerings/listOwn';
    await expect.poll(() => waysFrom(origin), patience).toEqual([way]);
    const spans = receiver.trace(origin.traceId);
    expect(spans.map(({ failed }) => failed)).toEqual([true, true]);
    const asked = spans.find(({ kind }) => kind === 'client') as Span;
    expect(asked.attributes).toMatchObject({
      'error.type': 'unavailable',
      'rpc.response.status_code': 'unavailable',
    });
  } finally {
    await command('start', 'offerings');
  }
});

test('a gateway that starts afresh asks Keycloak for its keys, once, within the trace of who came first', async () => {
  const { token } = scene.creator;
  await without('gateway', async () => undefined);
  const came: Origin[] = [];
  const ask = async () => {
    const origin = newOrigin();
    came.push(origin);
    const headers = { traceparent: traceparentOf(origin) };
    return call('GET', '/api/me', { token, headers }).then(
      ({ status }) => status,
      () => 0,
    );
  };
  await expect.poll(ask, patience).toBe(200);
  expect(await ask()).toBe(200);
  const asksKeycloak = (origin: Origin) =>
    waysFrom(origin).includes('browser > gateway GET /api/me > gateway keycloak');
  const later = came.at(-1) as Origin;
  const way = 'browser > gateway GET /api/me > gateway asks creators/readOwn > creators creators/readOwn';
  await expect.poll(() => waysFrom(later), patience).toEqual([`${way} > creators postgres`]);
  await expect.poll(() => came.filter(asksKeycloak).length, patience).toBe(1);
});

test('a token of a key that only Keycloak may know is asked about within its own trace', async () => {
  const came: Origin[] = [];
  // For some seconds after an answer of Keycloak's nothing is asked again.
  const asked = async () => {
    const origin = newOrigin();
    came.push(origin);
    const headers = { traceparent: traceparentOf(origin) };
    const { status } = await call('GET', '/api/me', { token: ofUnknownKey(scene.creator.token), headers });
    expect(status).toBe(401);
    return came.map(waysFrom).filter(([way]) => way?.endsWith(' > gateway keycloak'));
  };
  await expect.poll(asked, patience).toContainEqual(['browser > gateway GET /api/me > gateway keycloak']);
});

test('what a service logs of a request carries the trace and the span in which it failed', async () => {
  const origin = newOrigin();
  await without('postgres', async () => {
    const headers = { traceparent: traceparentOf(origin) };
    const response = await call('GET', '/api/me/offerings', { token: scene.creator.token, headers });
    expect(response.status).toBe(503);
    await response.text();
  });
  const ofService = () => linesOf(origin.traceId).filter(({ app }) => app === 'offerings');
  await expect.poll(() => ofService().length, patience).toBeGreaterThan(0);
  const answered = () =>
    receiver
      .trace(origin.traceId)
      .filter(({ service, kind }) => service === 'offerings' && kind === 'server');
  // A question that is answered late is asked again: each asking has a span of its own.
  const astray = () => {
    const spans = answered().map(({ spanId }) => spanId);
    return ofService().filter(({ span_id }) => !spans.includes(String(span_id)));
  };
  await expect.poll(astray, patience).toEqual([]);
  expect(answered().every(({ failed }) => failed)).toBe(true);
  for (const line of ofService()) expect(line).toMatchObject({ level: 50 });
  // The other tests need the database back.
  const ready = () => call('GET', '/api/me/offerings', { token: scene.creator.token });
  await expect.poll(async () => (await ready()).status, patience).toBe(200);
});

test("the browser's own request begins the trace that its error screen names", async ({ page }) => {
  const origins: Origin[] = [];
  page.on('request', (request) => {
    const [, traceId = '', spanId = ''] = request.headers()['traceparent']?.split('-') ?? [];
    if (request.url().includes('/api/creators')) origins.push({ traceId, spanId });
  });
  // What the list and a niche of it read is asked for by their HTML, before any script can name a trace.
  await page.goto('/browse-creators?search=ink');
  await expect(page.getByRole('searchbox', { name: 'Search creators' })).toBeVisible();
  await expect.poll(() => origins.length).toBeGreaterThan(0);
  const [first] = origins as [Origin];
  await expect
    .poll(() => receiver.spans.filter(({ parentId }) => parentId === first.spanId).map(labelOf), patience)
    .toEqual(['gateway GET /api/creators']);

  await command('stop', 'creators');
  try {
    await page.goto(`/browse-creators?search=${crypto.randomUUID()}`);
    const shown = page.getByRole('alert').getByText(/^Reference: [0-9a-f]{32}$/);
    await expect(shown).toBeVisible();
    const named = (await shown.textContent())?.split(' ')[1] ?? '';
    expect(origins.map(({ traceId }) => traceId)).toContain(named);
    await expect
      .poll(
        () => receiver.spans.filter(({ traceId, failed }) => traceId === named && failed).map(labelOf),
        patience,
      )
      .toContain('gateway asks creators/browse');
  } finally {
    await command('start', 'creators');
  }
});
