import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expectProblem, fetchApi } from '../src/api.ts';
import {
  makeAccount,
  makeCreator,
  makeOffering,
  renewToken,
  postFile,
  requestUpload,
} from '../src/creators.ts';
import type { TestCreator } from '../src/creators.ts';
import { productionTimeouts } from '@stoa/system/testing/test-environment';
import { AnswerWaits } from '../src/answer-waits.ts';
import { LateStart } from '../src/late-parts.ts';
import { mails, waitForMail } from '../src/mail-catcher.ts';
import { untilPageShows } from '../src/navigation.ts';
import { randomPhoto } from '../src/pictures.ts';
import { controlProcess, pidOf, whileDown } from '../src/process-control.ts';
import { theSystem } from '../src/system.ts';
import { expect, test } from '../src/test.ts';

const services = ['identity', 'creators', 'offerings', 'media', 'contact'] as const;
type Service = (typeof services)[number];
const apps = [...services, 'gateway', 'edge'];
const hanging = [...services, 'postgres', 'minio', 'keycloak', 'nats', 'edge'];

let creator: TestCreator;
let known: string[];
/** A gateway beside the system's, which waits for as long as one in production does. */
let prompt: LateStart;
let waits: AnswerWaits;

test.beforeAll(async () => {
  creator = await makeCreator();
  await makeOffering(creator.token, { title: 'A column' });
  const { username } = creator;
  known = [`/api/creators/${username}`, `/api/creators/${username}/offerings`];
  known.push(`/profile/${username}`, '/browse-creators');
  await expect.poll(() => statuses(known.map((path) => () => fetchApi('GET', path)))).toEqual(all(200));
  waits = await AnswerWaits.listen();
  prompt = await LateStart.of('gateway', [], { overrides: { ...productionTimeouts, ...waits.settings } });
  await expect.poll(async () => (await prompt.readiness()).status, { timeout: 60_000 }).toBe(200);
});
// The tests last longer than a token. A log-in for each would be more than an account may have within minutes.
test.beforeEach(async () => {
  creator.token = await renewToken(creator);
});
test.afterAll(async () => {
  await prompt.stop();
  waits.close();
});
// A test that ran out of time has not come to its own end.
test.afterEach(async () => {
  await Promise.allSettled(hanging.map((name) => controlProcess('resume', name)));
});

const all = (status: number) => known.map(() => status);
const answers = async (call: () => Promise<Response>) => (await call()).status < 500;
const statuses = (calls: readonly (() => Promise<Response>)[]) =>
  Promise.all(calls.map(async (call) => (await call()).status));

/** A call that only this service can answer, and that leaves nothing behind. */
const ownCalls: Record<Service, () => Promise<Response>> = {
  identity: () => fetchApi('GET', '/api/account/sessions', { token: creator.token }),
  creators: () => fetchApi('GET', '/api/me', { token: creator.token }),
  offerings: () => fetchApi('GET', '/api/me/offerings', { token: creator.token }),
  media: () => fetchApi('POST', `/api/uploads/${randomUUID()}/complete`, { token: creator.token }),
  contact: () => fetchApi('GET', '/api/me/held-messages', { token: creator.token }),
};

const picture = { purpose: 'profile-picture', filename: 'a.png', contentType: 'image/png', size: 9 };

const sendMessage = (message: { id: string; subject: string }) =>
  fetchApi('POST', '/api/contact-messages', {
    body: { ...message, name: 'A', email: 'a@example.test', message: 'M' },
  });

/** The gateway gives up before its caller does, and says when to come again. */
async function expectUnavailable(call: () => Promise<Response>): Promise<void> {
  const response = await call();
  expect([503, 504]).toContain(response.status);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  await expectProblem(response, response.status);
}

/** The page of a profile that nothing is known of: its frame, which no search engine keeps. */
async function expectFrameOnly(): Promise<void> {
  const page = await fetchApi('GET', `/profile/nobody-${randomUUID().slice(0, 8)}`);
  expect(page.status).toBe(503);
  expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await page.text()).toContain('<div id="root">');
}

async function expectKnownReads(): Promise<void> {
  expect(await statuses(known.map((path) => () => fetchApi('GET', path)))).toEqual(all(200));
}

/** Whatever it shows: pages that are known, and one of which nothing is. */
async function expectPagesInTime(): Promise<void> {
  const open = async (path: string) => {
    const response = await fetchApi('GET', path, { site: `http://127.0.0.1:${prompt.ports.site}` });
    await response.arrayBuffer();
  };
  const pages = {
    'a profile': () => open(`/profile/${creator.username}`),
    'the list': () => open('/browse-creators'),
    'a page of which nothing is known': () => open(`/profile/nobody-${randomUUID().slice(0, 8)}`),
  };
  await waits.expectInTime('page', pages);
}

/** Meanwhile: a machine that is busy may keep them waiting too. */
async function expectOthersAnswer(hung?: Service): Promise<void> {
  for (const other of services.filter((name) => name !== hung))
    await expect.poll(() => answers(ownCalls[other]), { message: other, timeout: 30_000 }).toBe(true);
}

const recovers = () =>
  expect
    .poll(() => Promise.all(services.map((name) => answers(ownCalls[name]))), { timeout: 60_000 })
    .toEqual(services.map(() => true));

async function whileHung(name: string, what: () => Promise<void>): Promise<void> {
  const before = await Promise.all(apps.map(pidOf));
  const both = async () => void (await Promise.all([what(), expectPagesInTime()]));
  await whileDown(name, both, 'pause');
  await recovers();
  expect(await Promise.all(apps.map(pidOf)), 'no app had to be restarted').toEqual(before);
}

test('while creators hangs known profiles are served, and the other services answer', async () => {
  const stranger = await makeCreator();
  await whileHung('creators', async () => {
    await Promise.all([
      expectKnownReads(),
      expectFrameOnly(),
      expectUnavailable(ownCalls.creators),
      expectUnavailable(() => fetchApi('GET', `/api/creators/nobody-${randomUUID().slice(0, 8)}`)),
      expectOthersAnswer('creators'),
    ]);
    await expectKnownReads();
  });
  expect((await fetchApi('GET', `/profile/${stranger.username}`)).status).toBe(200);
});

test('while offerings hangs a profile is rendered without its offerings', async ({ page }) => {
  const stranger = await makeCreator();
  await whileHung('offerings', async () => {
    await Promise.all([
      expectKnownReads(),
      expectUnavailable(ownCalls.offerings),
      expectOthersAnswer('offerings'),
    ]);
    await page.goto(`/profile/${stranger.username}`);
    await expect(page.getByRole('heading', { level: 1, name: stranger.displayName })).toBeVisible();
    // Two reads of 5 seconds each come before it.
    await expect(page.getByText('Failed to load offerings.')).toBeVisible({ timeout: 30_000 });
  });
  await untilPageShows(`/profile/${stranger.username}`, 'This creator has not added any offerings yet.');
  await page.goto(`/profile/${stranger.username}`);
  await expect(page.getByText('This creator has not added any offerings yet.')).toBeVisible();
});

test('while media hangs uploads alone are refused', async () => {
  await whileHung('media', async () => {
    await Promise.all([expectKnownReads(), expectUnavailable(ownCalls.media), expectOthersAnswer('media')]);
  });
});

test('while contact hangs a message is refused, and sent again it arrives once', async () => {
  const message = { id: randomUUID(), subject: `Through a stall ${randomUUID()}` };
  await whileHung('contact', async () => {
    await Promise.all([
      expectKnownReads(),
      expectUnavailable(() => sendMessage(message)),
      expectOthersAnswer('contact'),
    ]);
  });
  expect((await sendMessage(message)).status).toBe(202);
  const isIt = (mail: { subject: string }) => mail.subject.includes(message.subject);
  await waitForMail(isIt);
  expect((await mails()).filter(isIt)).toHaveLength(1);
});

test('while identity hangs its own calls are refused, and a sign-in works', async () => {
  const { token } = await makeAccount();
  await whileHung('identity', async () => {
    await Promise.all([
      expectKnownReads(),
      expectUnavailable(ownCalls.identity),
      expectOthersAnswer('identity'),
    ]);
    expect((await fetchApi('POST', '/api/session', { token })).status).toBe(201);
  });
});

test('while Postgres hangs known profiles are served, and the API is 503 or 504', async () => {
  const grant = () => fetchApi('POST', '/api/uploads', { token: creator.token, body: picture });
  await whileHung('postgres', async () => {
    await Promise.all([
      expectKnownReads(),
      expectFrameOnly(),
      ...services.map((name) => expectUnavailable(ownCalls[name])),
      expectUnavailable(grant),
    ]);
    await expectKnownReads();
  });
  await makeOffering(creator.token);
});

test('while the object store hangs uploads alone fail, and complete afterwards', async () => {
  const photo = await randomPhoto();
  const grant = await requestUpload(creator.token, 'profile-picture', photo);
  expect((await postFile(grant, photo)).ok).toBe(true);
  const complete = () => fetchApi('POST', `/api/uploads/${grant.id}/complete`, { token: creator.token });
  await whileHung('minio', async () => {
    await Promise.all([expectKnownReads(), expectUnavailable(complete), expectOthersAnswer()]);
  });
  await expect.poll(async () => (await complete()).status, { timeout: 60_000 }).toBe(200);
});

test('while Keycloak hangs who is signed in goes on, and a sign-in waits for it', async ({ page }) => {
  await whileHung('keycloak', async () => {
    await page.goto('/');
    await page.getByRole('link', { name: 'Log In' }).click({ noWaitAfter: true });
    await Promise.all([
      expectKnownReads(),
      expectUnavailable(ownCalls.identity),
      expectOthersAnswer('identity'),
    ]);
  });
  await expect(page.getByRole('button', { name: 'Log In' })).toBeVisible();
});

test('while NATS hangs known profiles are served, and the API is 503 or 504', async () => {
  await whileHung('nats', async () => {
    await Promise.all([
      expectKnownReads(),
      expectFrameOnly(),
      ...services.map((name) => expectUnavailable(ownCalls[name])),
    ]);
    await expectKnownReads();
  });
});

test('while edge hangs pages and the API answer, and a sign-in waits for it', async ({ page }) => {
  await whileHung('edge', async () => {
    // Its pictures come through edge as well, so the page is not loaded to the end until then.
    await page.goto('/', { waitUntil: 'domcontentloaded' });
    await page.getByRole('link', { name: 'Log In' }).click({ noWaitAfter: true });
    await Promise.all([expectKnownReads(), expectOthersAnswer()]);
  });
  await expect(page.getByRole('button', { name: 'Log In' })).toBeVisible({ timeout: 30_000 });
});

test('a collector of telemetry that hangs keeps nobody waiting', async () => {
  const before = await Promise.all(apps.map(pidOf));
  const connected = Promise.withResolvers<void>();
  // It takes what is exported, and never answers.
  const collector = createServer((socket) => {
    socket.on('error', () => undefined).resume();
    connected.resolve();
  });
  collector.listen(theSystem().ports.otlp, '127.0.0.1');
  await once(collector, 'listening');
  try {
    await connected.promise;
    const until = performance.now() + 5000;
    while (performance.now() < until) {
      await expectKnownReads();
      await expectOthersAnswer();
    }
  } finally {
    collector.close();
  }
  expect(await Promise.all(apps.map(pidOf)), 'no app had to be restarted').toEqual(before);
});
