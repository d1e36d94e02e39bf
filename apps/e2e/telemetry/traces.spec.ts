import type { Problem } from '@stoa/contracts';
import { fetchApi } from '../src/api.ts';
import { newToken } from '../src/creators.ts';
import { controlProcess, whileDown } from '../src/process-control.ts';
import { type LogLine, logLines } from '../src/logs.ts';
import type { Span, TelemetryReceiver } from '../src/telemetry-receiver.ts';
import { expect, test } from '../src/telemetry-test.ts';
import { withUnknownKeyId } from '../src/token.ts';
import {
  labelOf,
  orphanSpans,
  newOrigin,
  type Origin,
  traceparentOf,
  tracePaths,
} from '../src/trace-tree.ts';
import { type Scene, useCases } from '../src/use-cases.ts';

let receiver: TelemetryReceiver;
let scene: Scene;

test.beforeAll(({ receiver: shared, scene: theirs, story: _ }) => {
  receiver = shared;
  scene = theirs;
});

/** Gets a new token, because that of the scene may have expired. */
const freshToken = () => newToken(scene.creator);

const pathsFrom = (origin: Origin) => [...tracePaths(receiver.trace(origin.traceId), origin)].toSorted();
// Waits up to 90 s: the apps first retry exports that failed before the receiver ran, and other tests slow the machine down.
const polling = { timeout: 90_000 };

const parsed = (lines: readonly LogLine[]) =>
  lines.map(({ app, text }): Record<string, unknown> => ({ app, ...(JSON.parse(text) as object) }));

/** The log lines of a trace, by app. */
const linesOf = (traceId: string) =>
  parsed(logLines().filter(({ text }) => text.includes(traceId))).filter(
    ({ trace_id }) => trace_id === traceId,
  );

for (const useCase of useCases) {
  test(`one trace with every span: ${useCase.name}`, async ({ story }) => {
    const played = story.runs.find((one) => one.useCase === useCase);
    if (!played) throw new Error('This use case was not played.');
    const { origin, status, text } = played;
    expect(status, text).toBe(useCase.status);
    if (status >= 400) expect((JSON.parse(text) as Problem).traceId).toBe(origin.traceId);

    await expect.poll(() => pathsFrom(origin), polling).toEqual([...useCase.paths].toSorted());
    const spans = receiver.trace(origin.traceId);
    expect(orphanSpans(spans, origin)).toEqual([]);
    expect(spans.filter(({ failed }) => failed).map(labelOf)).toEqual([]);
    const span_id: unknown = expect.stringMatching(/^[0-9a-f]{16}$/);
    const lines = parsed(story.lines).filter(({ trace_id }) => trace_id === origin.traceId);
    // Security events have log lines of their own, which do not count here.
    expect(lines.filter(({ context }) => context !== 'Security')).toMatchObject([
      { app: 'gateway', status: useCase.status, span_id },
    ]);
    for (const line of lines) expect(line).toMatchObject({ app: 'gateway', span_id });
  });
}

test('every log line of the use cases has a trace id and a span id', ({ story }) => {
  expect(parsed(story.lines).filter(({ trace_id, span_id }) => !trace_id || !span_id)).toEqual([]);
});

test('the trace of a request to a stopped service fails, and the response names it', async () => {
  const token = await freshToken();
  await controlProcess('stop', 'offerings');
  try {
    const origin = newOrigin();
    const headers = { traceparent: traceparentOf(origin) };
    const response = await fetchApi('GET', '/api/me/offerings', { token, headers });
    expect(response.status).toBe(503);
    expect(((await response.json()) as Problem).traceId).toBe(origin.traceId);
    const way = 'browser > gateway GET /api/me/offerings > gateway asks offerings/listOwn';
    await expect.poll(() => pathsFrom(origin), polling).toEqual([way]);
    const spans = receiver.trace(origin.traceId);
    expect(spans.map(({ failed }) => failed)).toEqual([true, true]);
    const asked = spans.find(({ kind }) => kind === 'client') as Span;
    expect(asked.attributes).toMatchObject({
      'error.type': 'unavailable',
      'rpc.response.status_code': 'unavailable',
    });
  } finally {
    await controlProcess('start', 'offerings');
  }
});

test('a restarted gateway fetches the signing keys once, in the trace of the first request', async () => {
  const token = await freshToken();
  await whileDown('gateway', async () => undefined);
  const came: Origin[] = [];
  const ask = async () => {
    const origin = newOrigin();
    came.push(origin);
    const headers = { traceparent: traceparentOf(origin) };
    return fetchApi('GET', '/api/me', { token, headers }).then(
      ({ status }) => status,
      () => 0,
    );
  };
  await expect.poll(ask, polling).toBe(200);
  expect(await ask()).toBe(200);
  const asksKeycloak = (origin: Origin) =>
    pathsFrom(origin).includes('browser > gateway GET /api/me > gateway keycloak');
  const later = came.at(-1) as Origin;
  const way = 'browser > gateway GET /api/me > gateway asks creators/readOwn > creators creators/readOwn';
  await expect.poll(() => pathsFrom(later), polling).toEqual([`${way} > creators postgres`]);
  await expect.poll(() => came.filter(asksKeycloak).length, polling).toBe(1);
});

test('a token with an unknown key id fetches the signing keys in its own trace', async () => {
  const token = await freshToken();
  const came: Origin[] = [];
  // Repeats the request, because the apps do not fetch Keycloak's keys again for some seconds.
  const asked = async () => {
    const origin = newOrigin();
    came.push(origin);
    const headers = { traceparent: traceparentOf(origin) };
    const { status } = await fetchApi('GET', '/api/me', {
      token: withUnknownKeyId(token),
      headers,
    });
    expect(status).toBe(401);
    return came.map(pathsFrom).filter(([way]) => way?.endsWith(' > gateway keycloak'));
  };
  await expect.poll(asked, polling).toContainEqual(['browser > gateway GET /api/me > gateway keycloak']);
});

test('an error that a service logs has the trace id and the span id of its request [e2e-190]', async () => {
  const token = await freshToken();
  const origin = newOrigin();
  await whileDown('postgres', async () => {
    const headers = { traceparent: traceparentOf(origin) };
    const response = await fetchApi('GET', '/api/me/offerings', { token, headers });
    expect(response.status).toBe(503);
    await response.text();
  });
  const ofService = () => linesOf(origin.traceId).filter(({ app }) => app === 'offerings');
  await expect.poll(() => ofService().length, polling).toBeGreaterThan(0);
  const answered = () =>
    receiver
      .trace(origin.traceId)
      .filter(({ service, kind }) => service === 'offerings' && kind === 'server');
  // A request that the gateway has repeated, because the first answer was late, has a span for each attempt.
  const astray = () => {
    const spans = answered().map(({ spanId }) => spanId);
    return ofService().filter(({ span_id }) => !spans.includes(String(span_id)));
  };
  await expect.poll(astray, polling).toEqual([]);
  expect(answered().every(({ failed }) => failed)).toBe(true);
  for (const line of ofService()) expect(line).toMatchObject({ level: 50 });
  // Waits for the database, because the other tests need it.
  const ready = () => fetchApi('GET', '/api/me/offerings', { token });
  await expect.poll(async () => (await ready()).status, polling).toBe(200);
});

test('the error page shows the id of the trace that the browser started', async ({ page }) => {
  const origins: Origin[] = [];
  page.on('request', (request) => {
    const [, traceId = '', spanId = ''] = request.headers()['traceparent']?.split('-') ?? [];
    if (request.url().includes('/api/creators')) origins.push({ traceId, spanId });
  });
  // The test searches, because the first data is in the HTML and so no script requests it.
  await page.goto('/browse-creators');
  await page.getByRole('searchbox', { name: 'Search creators' }).fill('ink');
  await expect.poll(() => origins.length).toBeGreaterThan(0);
  const [first] = origins as [Origin];
  await expect
    .poll(() => receiver.spans.filter(({ parentId }) => parentId === first.spanId).map(labelOf), polling)
    .toEqual(['gateway GET /api/creators']);

  await controlProcess('stop', 'creators');
  try {
    await page.goto(`/browse-creators?search=${crypto.randomUUID()}`);
    const shown = page.getByRole('alert').getByText(/^Reference: [0-9a-f]{32}$/);
    await expect(shown).toBeVisible();
    const named = (await shown.textContent())?.split(' ')[1] ?? '';
    expect(origins.map(({ traceId }) => traceId)).toContain(named);
    await expect
      .poll(
        () => receiver.spans.filter(({ traceId, failed }) => traceId === named && failed).map(labelOf),
        polling,
      )
      .toContain('gateway asks creators/browse');
  } finally {
    await controlProcess('start', 'creators');
  }
});
