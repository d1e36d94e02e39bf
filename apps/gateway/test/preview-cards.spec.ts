import { creators, media, offerings } from '@stoa/contracts';
import { makePublicCreator } from '@stoa/testing';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { ServiceStubs } from './service-stubs.ts';

let gateway: GatewayUnderTest;
let services: ServiceStubs;

beforeAll(async () => {
  gateway = await startGatewayUnderTest();
  services = new ServiceStubs(gateway);
});
afterEach(() => services.leave());
afterAll(() => gateway.stop());

const card = (username: string, query = '') =>
  fetch(`${gateway.url}/api/creators/${username}/card.jpg${query}`, { redirect: 'manual' });
const creator = (username: string) => ({
  items: [makePublicCreator({ username })],
});
const path = 'preview_cards/a/b/c.jpg';

test('a card leads to where media has drawn it', async () => {
  await services.answer(creators.findMany, creator('ama'));
  const asked = await services.answer(media.drawCard, { path });
  const answer = await card('ama');
  expect(answer.status).toBe(302);
  expect(answer.headers.get('location')).toMatch(new RegExp(`/${path}$`));
  expect(answer.headers.get('cache-control')).toBe('public, no-cache');
  expect(asked).toEqual([expect.objectContaining({ username: 'ama' })]);
});

test('what nobody may see has no card, and media is not asked', async () => {
  await services.answer(creators.findMany, { items: [] });
  await services.refuse(offerings.findPublic, 'not_found');
  const asked = await services.answer(media.drawCard, { path });
  expect((await card('nobody')).status).toBe(404);
  expect(asked).toEqual([]);
});

test('while media or the store is away a card is 503 with Retry-After', async () => {
  await services.answer(creators.findMany, creator('beth'));
  const away = await card('beth');
  expect([away.status, away.headers.get('retry-after')]).toEqual([503, '1']);
  await services.refuse(media.drawCard, 'unavailable', 2);
  const refused = await card('beth');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
});
