import { contact, creators } from '@stoa/contracts';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { StandIns } from './stand-ins.ts';

let gateway: GatewayUnderTest;
let services: StandIns;

beforeAll(async () => {
  process.env['TRUST_PROXY'] = '1';
  gateway = await startGatewayUnderTest();
  services = new StandIns(gateway);
});
afterEach(() => services.leave());
afterAll(async () => {
  await gateway.stop();
  delete process.env['TRUST_PROXY'];
});

const message = { name: 'Ama', email: 'ama@example.test', subject: 'Hello', message: 'A question' };
const mailbox = {
  uid: randomUUID(),
  username: 'zoe',
  displayName: 'Zoë',
  email: 'hidden@example.test',
  emailVerified: true,
};

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  fetch(`${gateway.url}${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });

test('contact learns the address that the trusted proxy saw, not one that the sender claims', async () => {
  const id = randomUUID();
  const asked = await services.answer(contact.send, { id });
  const forwarded = { 'x-forwarded-for': '192.0.2.1, 203.0.113.9' };
  const response = await post('/api/contact-messages', { id, ...message, sender: '192.0.2.2' }, forwarded);
  expect(response.status).toBe(202);
  expect(asked).toEqual([{ id, ...message, sender: '203.0.113.9' }]);
});

test('a message to a creator goes to the mailbox that creators names, which the answer does not', async () => {
  const id = randomUUID();
  const found = await services.answer(creators.findMailbox, mailbox);
  const relayed = await services.answer(contact.relay, { id, to: mailbox });
  const response = await post('/api/creators/zoe/messages', { id, ...message, to: { email: 'spam@x.test' } });
  expect(response.status).toBe(202);
  expect(await response.json()).toEqual({ id });
  expect(found).toEqual([{ username: 'zoe' }]);
  expect(relayed).toEqual([{ id, ...message, sender: '127.0.0.1', to: mailbox }]);
});

test('a refusal for now says over HTTP when to come back', async () => {
  await services.refuse(contact.send, 'rate_limited', 1234);
  const response = await post('/api/contact-messages', { id: randomUUID(), ...message });
  expect(response.status).toBe(429);
  expect(response.headers.get('retry-after')).toBe('1234');
  expect(await response.json()).toMatchObject({ code: 'rate_limited', detail: 'No.' });
});

test.each([
  ['not_found', 404],
  ['conflict', 409],
] as const)('no mailbox (%s) is told, and nothing is stored', async (code, status) => {
  await services.refuse(creators.findMailbox, code);
  const relayed = await services.answer(contact.relay, { id: randomUUID() });
  const response = await post('/api/creators/zoe/messages', { id: randomUUID(), ...message });
  expect(response.status).toBe(status);
  expect(relayed).toEqual([]);
});

test('mailboxes are no part of the HTTP API', async () => {
  const asked = await services.answer(creators.findMailbox, mailbox);
  for (const path of ['/api/creators/zoe/mailbox', '/api/creators/zoe/messages', '/api/mailboxes/zoe']) {
    expect([404, 405]).toContain((await fetch(`${gateway.url}${path}`)).status);
  }
  expect(asked).toEqual([]);
});
