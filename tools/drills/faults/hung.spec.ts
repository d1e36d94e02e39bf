import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expectProblem, fetchApi } from '@stoa/e2e/api';
import {
  makeAccount,
  makeCreator,
  makeOffering,
  renewToken,
  postFile,
  requestUpload,
} from '@stoa/e2e/creators';
import type { TestCreator } from '@stoa/e2e/creators';
import { productionTimeouts } from '@stoa/system/testing/test-environment';
import { AnswerTimes } from '../src/answer-times.ts';
import { ProxiedApp } from '../src/proxied-app.ts';
import { mails, waitForMail } from '@stoa/e2e/mail-catcher';
import { untilPageShows } from '@stoa/e2e/navigation';
import { randomPhoto } from '@stoa/e2e/pictures';
import { controlProcess, runOf, whileDown } from '@stoa/e2e/process-control';
import { theSystem } from '@stoa/e2e/system';
import { expect, test } from '@stoa/e2e/test';

const services = ['identity', 'creators', 'offerings', 'media', 'contact'] as const;
type Service = (typeof services)[number];
const apps = [...services, 'gateway', 'edge'];
const hanging = [...services, 'postgres', 'minio', 'keycloak', 'nats', 'edge'];

let creator: TestCreator;
let known: string[];
/** A second gateway with the timeouts of production. */
let secondGateway: ProxiedApp;
let waits: AnswerTimes;

test.beforeAll(async () => {
  creator = await makeCreator();
  await makeOffering(creator.token, { title: 'A column' });
  const { username } = creator;
  known = [`/api/creators/${username}`, `/api/creators/${username}/offerings`];
  known.push(`/profile/${username}`, '/browse-creators');
  await expect.poll(() => statuses(known.map((path) => () => fetchApi('GET', path)))).toEqual(all(200));
  waits = await AnswerTimes.listen();
  secondGateway = await ProxiedApp.of('gateway', [], {
    overrides: { ...productionTimeouts, ...waits.settings },
  });
  await expect.poll(async () => (await secondGateway.readiness()).status, { timeout: 60_000 }).toBe(200);
});
// Gets a new token for each test, because the tests last longer than a token. A log-in for each would exceed
// the limit of an account.
test.beforeEach(async () => {
  creator.token = await renewToken(creator);
});
test.afterAll(async () => {
  await secondGateway.stop();
  waits.close();
});
// Resumes the part after a test that timed out before it did so.
test.afterEach(async () => {
  await Promise.allSettled(hanging.map((name) => controlProcess('resume', name)));
});

const all = (status: number) => known.map(() => status);
const answers = async (call: () => Promise<Response>) => (await call()).status < 500;
const statuses = (calls: readonly (() => Promise<Response>)[]) =>
  Promise.all(calls.map(async (call) => (await call()).status));

/** A call that only this service can answer, and that has no effect. */
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

/** Expects the gateway to give up before its caller does, with Retry-After. */
async function expectUnavailable(call: () => Promise<Response>): Promise<void> {
  const response = await call();
  expect([503, 504]).toContain(response.status);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  await expectProblem(response, response.status);
}

/** Expects a profile page without any known data: only its frame, which search engines do not index. */
async function expectFrameOnly(): Promise<void> {
  const page = await fetchApi('GET', `/profile/nobody-${randomUUID().slice(0, 8)}`);
  expect(page.status).toBe(503);
  expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await page.text()).toContain('<div id="root">');
}

async function expectKnownReads(): Promise<void> {
  expect(await statuses(known.map((path) => () => fetchApi('GET', path)))).toEqual(all(200));
}

/** Expects pages to be answered in time, both known and unknown ones, whatever they show. */
async function expectPagesInTime(): Promise<void> {
  const open = async (path: string) => {
    const response = await fetchApi('GET', path, { site: `http://127.0.0.1:${secondGateway.ports.site}` });
    await response.arrayBuffer();
  };
  const pages = {
    'a profile': () => open(`/profile/${creator.username}`),
    'the list': () => open('/browse-creators'),
    'an unknown page': () => open(`/profile/nobody-${randomUUID().slice(0, 8)}`),
  };
  await waits.expectInTime('page', pages);
}

/** Polls, because a busy machine may delay the other services as well. */
async function expectOthersAnswer(hung?: Service): Promise<void> {
  for (const other of services.filter((name) => name !== hung))
    await expect.poll(() => answers(ownCalls[other]), { message: other, timeout: 30_000 }).toBe(true);
}

const recovers = () =>
  expect
    .poll(() => Promise.all(services.map((name) => answers(ownCalls[name]))), { timeout: 60_000 })
    .toEqual(services.map(() => true));

async function whileHung(name: string, what: () => Promise<void>): Promise<void> {
  const before = await Promise.all(apps.map(runOf));
  const both = async () => void (await Promise.all([what(), expectPagesInTime()]));
  await whileDown(name, both, 'pause');
  await recovers();
  expect(await Promise.all(apps.map(runOf)), 'no app had to be restarted').toEqual(before);
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
    // The message appears only after two reads of 5 seconds each.
    await expect(page.getByText('Failed to load offerings.')).toBeVisible({ timeout: 30_000 });
  });
  await untilPageShows(`/profile/${stranger.username}`, 'This creator has not added any offerings yet.');
  await page.goto(`/profile/${stranger.username}`);
  await expect(page.getByText('This creator has not added any offerings yet.')).toBeVisible();
});

test('while media hangs only uploads are refused', async () => {
  await whileHung('media', async () => {
    await Promise.all([expectKnownReads(), expectUnavailable(ownCalls.media), expectOthersAnswer('media')]);
  });
});

test('while contact hangs a message is refused, and arrives once when sent again', async () => {
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

test('while the object store hangs only uploads fail, and complete afterwards', async () => {
  const photo = await randomPhoto();
  const grant = await requestUpload(creator.token, 'profile-picture', photo);
  expect((await postFile(grant, photo)).ok).toBe(true);
  const complete = () => fetchApi('POST', `/api/uploads/${grant.id}/complete`, { token: creator.token });
  await whileHung('minio', async () => {
    await Promise.all([expectKnownReads(), expectUnavailable(complete), expectOthersAnswer()]);
  });
  await expect.poll(async () => (await complete()).status, { timeout: 60_000 }).toBe(200);
});

test('while Keycloak hangs signed-in users continue, and a sign-in waits for it', async ({ page }) => {
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

test('while the edge hangs pages and the API answer, and a sign-in waits for it', async ({ page }) => {
  await whileHung('edge', async () => {
    // Does not wait for the load event, because the page's pictures come through the edge, which hangs.
    await page.goto('/', { waitUntil: 'domcontentloaded' });
    await page.getByRole('link', { name: 'Log In' }).click({ noWaitAfter: true });
    await Promise.all([expectKnownReads(), expectOthersAnswer()]);
  });
  await expect(page.getByRole('button', { name: 'Log In' })).toBeVisible({ timeout: 30_000 });
});

test('a hanging telemetry collector delays no request', async () => {
  const before = await Promise.all(apps.map(runOf));
  const connected = Promise.withResolvers<void>();
  // A collector that accepts exports and never answers.
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
  expect(await Promise.all(apps.map(runOf)), 'no app had to be restarted').toEqual(before);
});
