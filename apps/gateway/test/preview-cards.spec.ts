import { creators, media, offerings } from '@stoa/contracts';
import { makePublicCreator, makePublicOffering, waitFor } from '@stoa/testing';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { ServiceStubs } from './service-stubs.ts';

let gateway: GatewayUnderTest;
let services: ServiceStubs;

beforeAll(async () => {
  gateway = await startGatewayUnderTest({ webRoot: join(import.meta.dirname, '../../web/dist') });
  services = new ServiceStubs(gateway);
});
afterEach(() => services.leave());
afterAll(() => gateway.stop());

const card = (username: string, query = '') =>
  fetch(`${gateway.url}/api/creators/${username}/card.jpg${query}`, { redirect: 'manual' });
const path = 'preview_cards/a/b/c.jpg';

test('a card redirects to the picture that media has drawn', async () => {
  await services.answer(creators.find, makePublicCreator({ username: 'ama' }));
  const asked = await services.answer(media.drawCard, { path });
  const answer = await card('ama');
  expect(answer.status).toBe(302);
  expect(answer.headers.get('location')).toMatch(new RegExp(`/${path}$`));
  expect(answer.headers.get('cache-control')).toBe('public, no-cache');
  expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  expect(asked).toEqual([expect.objectContaining({ username: 'ama' })]);
});

test('a card is revalidated each time, and another version redirects to the current card', async () => {
  await services.answer(creators.find, makePublicCreator({ username: 'cora' }));
  const asked = await services.answer(media.drawCard, { path });
  const page = await (await fetch(`${gateway.url}/profile/cora`)).text();
  const named = /<meta property="og:image" content="[^"]*(\?v=[^"]*)"/.exec(page)?.[1];
  const kept = await card('cora', named);
  expect([kept.status, kept.headers.get('cache-control')]).toEqual([302, 'public, no-cache']);
  const former = await card('cora', '?v=former');
  expect(former.headers.get('location')).toBe(kept.headers.get('location'));
  expect(former.headers.get('cache-control')).toBe('public, no-cache');
  expect(asked[1]).toEqual(asked[0]);
});

test('the card of a hidden profile disappears with its event [gateway-54]', async () => {
  const zoe = makePublicCreator({ username: 'zoe' });
  await services.answer(creators.find, zoe);
  await services.answer(media.drawCard, { path });
  expect((await card('zoe')).status).toBe(302);
  await services.leave();
  await services.refuse(creators.find, 'not_found');
  const announcer = await gateway.connectAs('creators');
  const hidden = {
    id: crypto.randomUUID(),
    uid: zoe.uid,
    offering: null,
    outcome: 'hidden',
    reason: 'fraud',
  };
  const at = new Date().toISOString();
  announcer.publish(creators.reviewed.subject, JSON.stringify({ ...hidden, text: '', at }));
  await announcer.flush();
  await announcer.close();
  await waitFor(async () => expect((await card('zoe')).status).toBe(404));
});

test('the card of an offering has its title, type, price and cover', async () => {
  const creator = makePublicCreator({ username: 'dela' });
  const [id, cover] = [crypto.randomUUID(), crypto.randomUUID()];
  const coverImage = {
    ...{ id: cover, path: 'offering_images/a/b', widths: [480], width: 480, height: 270, color: '#224466' },
  };
  await services.answer(creators.find, creator);
  const letters = makePublicOffering({ id, creatorId: creator.uid, title: 'Twelve letters', coverImage });
  await services.answer(offerings.findPublic, letters);
  const asked = await services.answer(media.drawCard, { path });
  const answer = await fetch(`${gateway.url}/api/creators/dela/offerings/letters/card.jpg`, {
    redirect: 'manual',
  });
  expect(answer.status).toBe(302);
  const offering = { id, title: 'Twelve letters', type: 'eBook', price: 'R150' };
  expect(asked).toEqual([expect.objectContaining({ pictureId: cover, offering })]);
});

test('a hidden profile has no card, and media receives no request', async () => {
  await services.refuse(creators.find, 'not_found');
  await services.refuse(offerings.findPublic, 'not_found');
  const asked = await services.answer(media.drawCard, { path });
  expect((await card('nobody')).status).toBe(404);
  expect(asked).toEqual([]);
});

test('while media or the store is down a card is 503 with Retry-After [gateway-55]', async () => {
  await services.answer(creators.find, makePublicCreator({ username: 'beth' }));
  const away = await card('beth');
  expect([away.status, away.headers.get('retry-after')]).toEqual([503, '1']);
  await services.refuse(media.drawCard, 'unavailable', 2);
  const refused = await card('beth');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
});
