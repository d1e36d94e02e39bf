import { contact, creators, problemStatus } from '@stoa/contracts';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { ServiceStubs } from './service-stubs.ts';

let gateway: GatewayUnderTest;
let serviceStubs: ServiceStubs;

beforeAll(async () => {
  gateway = await startGatewayUnderTest({
    webRoot: join(import.meta.dirname, '../../web/dist'),
    settings: { RATE_LIMIT_PER_MINUTE: '90' },
  });
  serviceStubs = new ServiceStubs(gateway);
});
afterEach(() => serviceStubs.leave());
afterAll(() => gateway.stop());

const fields = { name: 'Ann', email: 'ann@example.test', subject: 'Ink', message: 'How?\r\nWhen?' };
const form = 'application/x-www-form-urlencoded';

const ofSite = { 'sec-fetch-site': 'same-origin' };
async function post(path: string, values: Record<string, string>, headers: Record<string, string> = ofSite) {
  const response = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { 'content-type': form, accept: 'text/html', ...headers },
    body: new URLSearchParams(values),
  });
  return { status: response.status, headers: response.headers, page: await response.text() };
}
/** Reads the content of a page for browsers without scripts. */
const shownIn = (page: string) => /<noscript>(.*?)<\/noscript>/s.exec(page)?.[1] ?? '';

test('a message is sent once, also after reloads of its page', async () => {
  const asked = await serviceStubs.answer(contact.send, { id: crypto.randomUUID() });
  const first = await post('/contact', { ...fields, more: 'x' });
  expect(first.status).toBe(200);
  expect(first.headers.get('cache-control')).toBe('no-store');
  expect(shownIn(first.page)).toContain('Thanks for your message! We&#39;ll be in touch soon.');
  await post('/contact', fields);
  await post('/contact', { ...fields, subject: 'Paper' });
  const sent = asked as { id: string; message: string }[];
  expect(sent[0]).toMatchObject({ ...fields, message: 'How?\nWhen?', sender: expect.any(String) as unknown });
  expect(sent[0]).not.toHaveProperty('more');
  expect(new Set(sent.map(({ id }) => id)).size).toBe(2);
});

test('a message to a creator goes to their mailbox', async () => {
  const to = { uid: crypto.randomUUID(), username: 'kofi', displayName: 'Kofi', email: 'kofi@example.test' };
  await serviceStubs.answer(creators.findMailbox, { ...to, emailVerified: true });
  const asked = await serviceStubs.answer(contact.relay, { id: crypto.randomUUID() });
  const { status, page } = await post('/profile/kofi/contact', fields);
  expect(status).toBe(200);
  expect(shownIn(page)).toContain('It goes to @kofi, who answers by email.');
  expect(page).not.toContain(to.email);
  expect(asked).toMatchObject([{ to: { username: 'kofi' } }]);
});

test('the same text to two creators and to the operator is three messages, each sent once', async () => {
  const uids: Record<string, string> = { kofi: crypto.randomUUID(), ama: crypto.randomUUID() };
  await serviceStubs.answerWith(creators.findMailbox, ({ username }) => ({
    ...{ uid: uids[username], username, displayName: username, email: `${username}@example.test` },
    emailVerified: true,
  }));
  const relayed = await serviceStubs.answer(contact.relay, { id: crypto.randomUUID() });
  const sent = await serviceStubs.answer(contact.send, { id: crypto.randomUUID() });
  for (const path of ['/profile/kofi/contact', '/profile/ama/contact', '/contact'])
    for (let time = 0; time < 2; time += 1) expect((await post(path, fields)).status).toBe(200);
  const ids = ([...relayed, ...sent] as { id: string }[]).map(({ id }) => id);
  expect(ids).toHaveLength(6);
  expect(new Set(ids).size).toBe(3);
  expect(relayed).toMatchObject(
    ['kofi', 'kofi', 'ama', 'ama'].map((username) => ({ to: { uid: uids[username] } })),
  );
});

test('errors are shown at their fields, and the typed text is kept and escaped', async () => {
  const asked = await serviceStubs.answer(contact.send, { id: crypto.randomUUID() });
  const { status, page } = await post('/contact', {
    ...{ name: ' ', email: 'ann@localhost' },
    ...{ subject: '"><script>', message: '</textarea><b>' },
  });
  expect(status).toBe(400);
  const shown = shownIn(page);
  expect(shown).toContain('Oops! There was a problem submitting your form.');
  expect(shown).toContain('This field is required.');
  expect(shown).toContain('The email address is not valid.');
  expect(shown).toContain('value="&quot;&gt;&lt;script&gt;"');
  expect(shown).toContain('&lt;/textarea&gt;&lt;b&gt;');
  expect(shown).toContain('value="ann@localhost"');
  expect(asked).toEqual([]);
});

test('a refusal keeps the typed text', async () => {
  await serviceStubs.refuse(contact.send, 'rate_limited');
  const { status, page } = await post('/contact', fields);
  expect(status).toBe(429);
  expect(shownIn(page)).toContain('Oops! There was a problem submitting your form.');
  expect(shownIn(page)).toContain('value="Ink"');
});

test.each(['unavailable', 'internal', 'timeout', 'conflict'] as const)(
  'a service that answers %s keeps the typed text',
  async (code) => {
    await serviceStubs.refuse(contact.send, code);
    const { status, page } = await post('/contact', fields);
    expect(status).toBe(problemStatus[code]);
    expect(shownIn(page)).toContain('value="Ink"');
  },
);

test.each([
  ['without fetch metadata, from a page without a referrer', { origin: 'null' }],
  ['without fetch metadata, with the origin of the site', { origin: 'http://localhost:8080' }],
  ['without fetch metadata or an origin', {}],
  ['that reloads the response', { 'sec-fetch-site': 'none', origin: 'null' }],
  ['with fetch metadata', { ...ofSite, origin: 'null' }],
])('a form is accepted from a browser %s', async (_, headers) => {
  const asked = await serviceStubs.answer(contact.send, { id: crypto.randomUUID() });
  const { status, page } = await post('/contact', fields, headers);
  expect(status).toBe(200);
  expect(shownIn(page)).toContain('Thanks for your message!');
  expect(asked).toHaveLength(1);
});

test('the pages of the forms answer GET requests', async () => {
  for (const path of ['/contact', '/profile/kofi/contact'])
    expect((await fetch(gateway.url + path)).status).toBe(200);
  expect(shownIn(await (await fetch(`${gateway.url}/profile/kofi/contact`)).text())).toContain(
    'action="/profile/kofi/contact"',
  );
});

test('an unknown creator has no contact form', async () => {
  await serviceStubs.refuse(creators.find, 'not_found');
  for (const path of ['/profile/gone/contact', '/profile/gone/Contact']) {
    const response = await fetch(gateway.url + path);
    expect(response.status).toBe(404);
    const page = await response.text();
    expect(shownIn(page)).toContain('Creator not found.');
    expect(page).not.toContain('<form');
  }
});

describe('a form is refused', () => {
  test.each([
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
    ['from another host of this site', { 'sec-fetch-site': 'same-site' }],
    ['from an opaque origin', { 'sec-fetch-site': 'cross-site', origin: 'null' }],
    ['from another site, by a browser without fetch metadata', { origin: 'https://evil.example' }],
    ['from another port, by a browser without fetch metadata', { origin: 'http://localhost:8081' }],
  ])('%s, and keeps the typed text', async (_, headers) => {
    const asked = await serviceStubs.answer(contact.send, { id: crypto.randomUUID() });
    const { status, page } = await post('/contact', fields, headers);
    expect(status).toBe(403);
    expect(shownIn(page)).toContain('It came from another site. Please send it from here.');
    expect(shownIn(page)).toContain('value="Ink"');
    expect(asked).toEqual([]);
  });

  test.each([
    ['as JSON', 'application/json', 400],
    ['as text', 'text/plain', 415],
  ])('%s', async (_, type, status) => {
    const asked = await serviceStubs.answer(contact.send, { id: crypto.randomUUID() });
    expect((await post('/contact', fields, { ...ofSite, 'content-type': type })).status).toBe(status);
    expect(asked).toEqual([]);
  });

  test.each(['/api/contact-messages', '/api/reports', '/api/visits', '/api/creators/kofi/messages'])(
    'by the API: %s',
    async (path) => expect((await post(path, fields)).status).toBe(415),
  );

  test.each(['/about', '/profile/kofi', '/report'])('on a page without a form: %s', async (path) => {
    expect([404, 405]).toContain((await post(path, fields)).status);
  });

  test('above the rate limit of an address', async () => {
    await serviceStubs.answer(contact.send, { id: crypto.randomUUID() });
    const statuses: number[] = [];
    for (let count = 0; count < 91; count += 1) statuses.push((await post('/contact', fields)).status);
    expect(statuses).toContain(429);
  });
});
