import { creators, offerings } from '@stoa/contracts';
import { makePublicCreator, waitFor } from '@stoa/testing';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
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

const read = async (path: string) => (await fetch(`${gateway.url}${path}`)).text();
/** What stands in the page before any script runs. */
const contentOf = (page: string) => /<main.*<\/main>/s.exec(page)?.[0] ?? '';
/** What the page brings along for its first render in the browser. */
const answersIn = (page: string): unknown =>
  JSON.parse(/<script id="stoa-answers" type="application\/json">(.*?)<\/script>/s.exec(page)?.[1] ?? '');

test('home has the page of the first creator who has all of one, and the data it was made from', async () => {
  const picture = {
    ...{ id: crypto.randomUUID(), path: 'profile_pictures/yaa', widths: [160], width: 160, height: 160 },
    color: '#aabbcc',
  };
  const whole = makePublicCreator({ username: 'yaa', profileImage: picture, offeringCount: 3 });
  const without = { ...makePublicCreator({ username: 'kofi' }), bioPreview: 'Ink' };
  const items = [without, { ...whole, bioPreview: 'Poems about rivers' }];
  await services.answer(creators.browse, { items, nextCursor: null, total: 2, totalIsExact: true });
  await services.answer(creators.find, whole);
  await services.answer(offerings.listThumbnails, { lists: [] });
  const offered = ['First', 'Second', 'Third'].map((title) => ({
    ...{
      id: crypto.randomUUID(),
      creatorId: whole.uid,
      title: `${title} letters`,
      slug: title.toLowerCase(),
    },
    ...{ description: 'One a month.', price: 'R150', type: 'eBook', coverImage: null },
    ...{ paymentUrl: 'https://pay.example.test/', createdAt: '2026-01-01T00:00:00.000Z' },
  }));
  await services.answer(offerings.listPublic, { items: offered });
  const page = await waitFor(async () => {
    const text = await read('/');
    expect(contentOf(text)).toContain('href="/profile/yaa"');
    return text;
  });
  for (const words of ['First letters', 'Second letters', 'R150', 'profile_pictures/yaa/160.avif'])
    expect(contentOf(page)).toContain(words);
  expect(page).not.toContain('Third letters');
  // Descriptions and links for payments are left to the page itself.
  expect(page).not.toContain('One a month.');
  expect(answersIn(page)).toMatchObject({ '/api/showcase': { creator: { username: 'yaa' } } });
  expect(await (await fetch(`${gateway.url}/api/showcase`)).json()).toMatchObject({
    creator: { username: 'yaa' },
    offerings: [{ slug: 'first' }, { slug: 'second' }],
  });
});
