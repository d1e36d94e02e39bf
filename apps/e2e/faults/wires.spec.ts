import type { UploadGrant } from '@stoa/contracts';
import { apps, type App } from '@stoa/system';
import { productionTimeouts } from '@stoa/system/testing/test-environment';
import type { WiredPart } from '@stoa/system/testing/wires';
import { randomUUID } from 'node:crypto';
import { AnswerWaits, type Ask, rounds } from '../src/answer-waits.ts';
import { fetchApi, fetchJson, type RequestOptions } from '../src/api.ts';
import { makeCreator, makeOffering, newToken, postFile, type TestCreator } from '../src/creators.ts';
import { LateStart } from '../src/late-parts.ts';
import type { WaitedFor } from '../src/longest-waits.ts';
import { randomPhoto } from '../src/pictures.ts';
import { controlProcess } from '../src/process-control.ts';
import { expect, test } from '../src/test.ts';
import { badWires, ownWires } from '../src/wires.ts';

/** Of the five minutes that a token lives. */
const tokenMs = 150_000;

/** Those that use one of the wires; what goes through edge is not asked for here. */
const wired = apps.filter((app) => app !== 'edge');
const within = (timeout: number) => ({ timeout, intervals: [50, 100, 200] });

let waits: AnswerWaits;
let wires: Awaited<ReturnType<typeof ownWires>>;
let processes: Map<App, LateStart>;
let creator: TestCreator;
let token: string;
/** Who only asks for grants, and may have no more of them after some tests: pictures are of the other one. */
let grantee: TestCreator;
let granteeToken: string;
let tokenFrom: number;

// The apps of the system make room for others, which reach NATS, Postgres and the object store by wires of their own.
test.beforeAll(async () => {
  test.setTimeout(300_000);
  tokenFrom = performance.now();
  [creator, grantee] = await Promise.all([makeCreator(), makeCreator()]);
  await makeOffering(creator.token, { title: 'A column' });
  wires = await ownWires();
  waits = await AnswerWaits.listen();
  await Promise.all(wired.map((app) => controlProcess('stop', app)));
  const started = wired.map(async (app) => {
    const overrides = { ...productionTimeouts, ...(app === 'gateway' && waits.settings) };
    const process = await LateStart.of(app, [], { via: wires.ports, overrides });
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
test.afterEach(() => wires.faults.mendAll());
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

const nobody = () => `nobody-${randomUUID().slice(0, 8)}`;
const own = (path: string) => ask('GET', path, { token });
const picture = { purpose: 'profile-picture', filename: 'a.png', contentType: 'image/png', size: 9 };

const pages: Record<string, () => Promise<Answer>> = {
  'a known page': () => ask('GET', `/profile/${creator.username}`),
  'the list': () => ask('GET', '/browse-creators'),
  'a page of which nothing is known': () => ask('GET', `/profile/${nobody()}`),
};
const reads: Record<string, () => Promise<Answer>> = {
  'a known read': () => ask('GET', `/api/creators/${creator.username}`),
  'an unknown read': () => ask('GET', `/api/creators/${nobody()}`),
  'an own record': () => own('/api/me'),
  'an own list': () => own('/api/me/offerings'),
};
const writes: Record<string, () => Promise<Answer>> = {
  'the check of no upload': () => ask('POST', `/api/uploads/${randomUUID()}/complete`, { token }),
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

/** That every call of a kind is answered in time, and none by a failure that nobody expected. */
async function expectBounded(
  kind: WaitedFor,
  calls: Readonly<Record<string, (round: number) => Promise<Answer>>>,
): Promise<void> {
  const expecting = Object.entries(calls).map(([name, call]): [string, Ask] => {
    const expected: Ask = async (round) => {
      const { status } = await call(round);
      expect(status < 500 || status === 503 || status === 504, `${name} is answered ${status}`).toBe(true);
    };
    return [name, expected];
  });
  await waits.expectInTime(kind, Object.fromEntries(expecting));
}

/** A picture that was posted and not checked yet: the check reads it from the store and writes what it shows. */
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
    test(`with a wire to ${part} that is ${name} all is answered in time, and soon again`, async () => {
      // One a round: a check that has ended is answered from its record.
      const checks = await Promise.all(Array.from({ length: rounds.write }, postedPicture));
      await expectBounded('page', pages);
      await wires.faults.spoil(part, toxics);
      await Promise.all([
        expectBounded('page', pages),
        expectBounded('read', reads),
        expectBounded('write', {
          ...writes,
          'the check of an upload': (round) => checks[round]!(),
        }),
      ]);
      await wires.faults.mendAll();
      const mended = performance.now();
      await expect(allAnswers).toPass(within(10_000));
      test.info().annotations.push({
        type: 'back after',
        description: `${Math.round(performance.now() - mended)} ms`,
      });
      for (const check of checks)
        await expect.poll(async () => (await check()).status, within(60_000)).toBe(200);
      const ended = [...processes].flatMap(([app, { hasEnded }]) => (hasEnded ? [app] : []));
      expect(ended, 'no app had to be restarted').toEqual([]);
    });
