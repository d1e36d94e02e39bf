import type { UploadGrant } from '@stoa/contracts';
import { apps, type App } from '@stoa/system';
import { productionTimeouts } from '@stoa/system/testing/test-environment';
import type { WiredPart } from '@stoa/system/testing/wires';
import { randomUUID } from 'node:crypto';
import { AnswerTimes, type TimedCall, rounds } from '../src/answer-times.ts';
import { fetchApi, fetchJson, type RequestOptions } from '@stoa/e2e/api';
import { makeCreator, makeOffering, newToken, postFile, type TestCreator } from '@stoa/e2e/creators';
import { ProxiedApp } from '../src/proxied-app.ts';
import type { AnswerKind } from '../src/longest-waits.ts';
import { randomPhoto } from '@stoa/e2e/pictures';
import { controlProcess } from '@stoa/e2e/process-control';
import { expect, test } from '@stoa/e2e/test';
import { badWires, startWires } from '../src/wires.ts';

/** Half of the five minutes that a token is valid, in milliseconds. */
const tokenMs = 150_000;

/** The apps that use a wire. No call here goes through the edge. */
const wired = apps.filter((app) => app !== 'edge');
const within = (timeout: number) => ({ timeout, intervals: [50, 100, 200] });

let waits: AnswerTimes;
let wires: Awaited<ReturnType<typeof startWires>>;
let processes: Map<App, ProxiedApp>;
let creator: TestCreator;
let token: string;
/** Only requests upload grants, and may reach their limit after some tests; the other creator uploads pictures. */
let grantee: TestCreator;
let granteeToken: string;
let tokenFrom: number;

// Replaces the apps of the system by others that reach NATS, Postgres and the object store through their own wires.
test.beforeAll(async () => {
  test.setTimeout(300_000);
  tokenFrom = performance.now();
  [creator, grantee] = await Promise.all([makeCreator(), makeCreator()]);
  await makeOffering(creator.token, { title: 'A column' });
  wires = await startWires();
  waits = await AnswerTimes.listen();
  await Promise.all(wired.map((app) => controlProcess('stop', app)));
  const started = wired.map(async (app) => {
    const overrides = { ...productionTimeouts, ...(app === 'gateway' && waits.settings) };
    const process = await ProxiedApp.of(app, [], { via: wires.ports, overrides });
    return [app, process] as const;
  });
  processes = new Map(await Promise.all(started));
  for (const [app, process] of processes)
    await expect
      .poll(async () => (await process.readiness()).status, { ...within(120_000), message: app })
      .toBe(200);
  token = creator.token;
  granteeToken = grantee.token;
  await expect(allAnswers).toPass(within(60_000));
});
test.beforeEach(async () => {
  if (performance.now() - tokenFrom < tokenMs) return;
  tokenFrom = performance.now();
  [token, granteeToken] = await Promise.all([newToken(creator), newToken(grantee)]);
});
test.afterEach(() => wires.faults.removeAll());
test.afterAll(async () => {
  test.setTimeout(300_000);
  await Promise.all([...processes.values()].map((process) => process.stop()));
  wires.stop();
  waits.close();
  await Promise.all(wired.map((app) => controlProcess('start', app)));
});

type Answer = Pick<Response, 'status'>;

const site = () => `http://127.0.0.1:${processes.get('gateway')?.ports.site}`;

async function ask(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
  const response = await fetchApi(method, path, { site: site(), ...options });
  await response.arrayBuffer();
  return response;
}

const unknownName = () => `nobody-${randomUUID().slice(0, 8)}`;
const own = (path: string) => ask('GET', path, { token });
const picture = { purpose: 'profile-picture', filename: 'a.png', contentType: 'image/png', size: 9 };

const pages: Record<string, () => Promise<Answer>> = {
  'a known page': () => ask('GET', `/profile/${creator.username}`),
  'the list': () => ask('GET', '/browse-creators'),
  'an unknown page': () => ask('GET', `/profile/${unknownName()}`),
};
const reads: Record<string, () => Promise<Answer>> = {
  'a known read': () => ask('GET', `/api/creators/${creator.username}`),
  'an unknown read': () => ask('GET', `/api/creators/${unknownName()}`),
  'an own record': () => own('/api/me'),
  'an own list': () => own('/api/me/offerings'),
};
const writes: Record<string, () => Promise<Answer>> = {
  'the check of an unknown upload': () => ask('POST', `/api/uploads/${randomUUID()}/complete`, { token }),
  'a message': () =>
    ask('POST', '/api/contact-messages', {
      body: {
        id: randomUUID(),
        name: 'A',
        email: `${randomUUID()}@example.test`,
        subject: randomUUID(),
        message: randomUUID(),
      },
    }),
  'a grant': () => ask('POST', '/api/uploads', { token: granteeToken, body: picture }),
};

/** Expects every call of a kind to be answered in time, with no 5xx other than 503 and 504. */
async function expectBounded(
  kind: AnswerKind,
  calls: Readonly<Record<string, (round: number) => Promise<Answer>>>,
): Promise<void> {
  const expecting = Object.entries(calls).map(([name, call]): [string, TimedCall] => {
    const expected: TimedCall = async (round) => {
      const { status } = await call(round);
      expect(status < 500 || status === 503 || status === 504, `${name} is answered ${status}`).toBe(true);
    };
    return [name, expected];
  });
  await waits.expectInTime(kind, Object.fromEntries(expecting));
}

/** Posts a picture, and returns the call that checks it: media reads it from the store and writes its variants. */
async function postedPicture(): Promise<() => Promise<Answer>> {
  const photo = await randomPhoto();
  const { name: filename, mimeType: contentType, buffer } = photo;
  const body = { purpose: 'profile-picture', filename, contentType, size: buffer.length };
  const grant = await fetchJson<UploadGrant>('POST', '/api/uploads', { site: site(), token, body });
  expect((await postFile(grant, photo)).ok).toBe(true);
  return () => ask('POST', `/api/uploads/${grant.id}/complete`, { token });
}

async function allAnswers(): Promise<void> {
  const calls = [...Object.entries(reads), ...Object.entries(writes)];
  const statuses = await Promise.all(calls.map(async ([name, call]) => [name, (await call()).status]));
  expect(statuses.filter(([, status]) => Number(status) >= 500)).toEqual([]);
}

for (const part of ['nats', 'postgres', 'minio'] satisfies WiredPart[])
  for (const [name, toxics] of Object.entries(badWires))
    test(`all calls are answered in time over a wire to ${part} that is ${name}, and soon recover`, async () => {
      // Prepares one picture per round, because a finished check is answered from its record.
      const checks = await Promise.all(Array.from({ length: rounds.write }, postedPicture));
      await expectBounded('page', pages);
      await wires.faults.add(part, toxics);
      await Promise.all([
        expectBounded('page', pages),
        expectBounded('read', reads),
        expectBounded('write', {
          ...writes,
          'the check of an upload': (round) => checks[round]!(),
        }),
      ]);
      await wires.faults.removeAll();
      const restoredAt = performance.now();
      await expect(allAnswers).toPass(within(10_000));
      test.info().annotations.push({
        type: 'back after',
        description: `${Math.round(performance.now() - restoredAt)} ms`,
      });
      for (const check of checks)
        await expect.poll(async () => (await check()).status, within(60_000)).toBe(200);
      const ended = [...processes].flatMap(([app, { hasEnded }]) => (hasEnded ? [app] : []));
      expect(ended, 'no app had to be restarted').toEqual([]);
    });
