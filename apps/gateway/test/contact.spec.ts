import { contact, creators } from '@stoa/contracts';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { ServiceStubs } from './service-stubs.ts';

let gateway: GatewayUnderTest;
let services: ServiceStubs;

beforeAll(async () => {
  process.env['TRUST_PROXY'] = '1';
  gateway = await startGatewayUnderTest();
  services = new ServiceStubs(gateway);
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

test('contact receives the address from the trusted proxy, not a forged X-Forwarded-For [gateway-27]', async () => {
  const id = randomUUID();
  const asked = await services.answer(contact.send, { id });
  const forwarded = { 'x-forwarded-for': '192.0.2.1, 203.0.113.9' };
  const response = await post('/api/contact-messages', { id, ...message, sender: '192.0.2.2' }, forwarded);
  expect(response.status).toBe(202);
  expect(asked).toEqual([{ id, ...message, sender: '203.0.113.9' }]);
});

test('a message to a creator is relayed to a mailbox that the answer does not reveal', async () => {
  const id = randomUUID();
  const found = await services.answer(creators.findMailbox, mailbox);
  const relayed = await services.answer(contact.relay, { id, to: mailbox });
  const response = await post('/api/creators/zoe/messages', { id, ...message, to: { email: 'spam@x.test' } });
  expect(response.status).toBe(202);
  expect(await response.json()).toEqual({ id });
  expect(found).toEqual([{ username: 'zoe' }]);
  expect(relayed).toEqual([{ id, ...message, sender: '127.0.0.1', to: mailbox }]);
});

test('a rate limit is 429 with Retry-After', async () => {
  await services.refuse(contact.send, 'rate_limited', 1234);
  const response = await post('/api/contact-messages', { id: randomUUID(), ...message });
  expect(response.status).toBe(429);
  expect(response.headers.get('retry-after')).toBe('1234');
  expect(await response.json()).toMatchObject({ code: 'rate_limited', detail: 'No.' });
});

test.each([
  ['not_found', 404],
  ['conflict', 409],
] as const)('a missing mailbox (%s) is an error, and no message is relayed', async (code, status) => {
  await services.refuse(creators.findMailbox, code);
  const relayed = await services.answer(contact.relay, { id: randomUUID() });
  const response = await post('/api/creators/zoe/messages', { id: randomUUID(), ...message });
  expect(response.status).toBe(status);
  expect(relayed).toEqual([]);
});

test('the HTTP API has no route to mailboxes', async () => {
  const asked = await services.answer(creators.findMailbox, mailbox);
  for (const path of ['/api/creators/zoe/mailbox', '/api/creators/zoe/messages', '/api/mailboxes/zoe']) {
    expect([404, 405]).toContain((await fetch(`${gateway.url}${path}`)).status);
  }
  expect(asked).toEqual([]);
});
