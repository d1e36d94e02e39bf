import { creators, offerings } from '@stoa/contracts';
import { makePublicCreator, makePublicOffering, waitFor } from '@stoa/testing';
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
/** The content of a page that the server has rendered. */
const contentOf = (page: string) => /<main.*<\/main>/s.exec(page)?.[0] ?? '';
/** The API responses that a page contains, so that the browser need not request them. */
const answersIn = (page: string): unknown =>
  JSON.parse(/<script id="stoa-answers" type="application\/json">(.*?)<\/script>/s.exec(page)?.[1] ?? '');

test('the home page shows the first complete creator, and embeds the data of its rendering [gateway-42]', async () => {
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
  const offered = ['First', 'Second', 'Third'].map((title) =>
    makePublicOffering({
      ...{ id: crypto.randomUUID(), creatorId: whole.uid },
      ...{ title: `${title} letters`, slug: title.toLowerCase() },
    }),
  );
  await services.answer(offerings.listPublic, { items: offered, pinnedId: null });
  const page = await waitFor(async () => {
    const text = await read('/');
    expect(contentOf(text)).toContain('href="/profile/yaa"');
    return text;
  });
  for (const words of ['First letters', 'Second letters', 'R150', 'profile_pictures/yaa/160.avif'])
    expect(contentOf(page)).toContain(words);
  expect(page).not.toContain('Third letters');
  // Only the profile page contains descriptions and payment links.
  expect(page).not.toContain('One a month.');
  expect(answersIn(page)).toMatchObject({ '/api/showcase': { creator: { username: 'yaa' } } });
  expect(await (await fetch(`${gateway.url}/api/showcase`)).json()).toMatchObject({
    creator: { username: 'yaa' },
    offerings: [{ slug: 'first' }, { slug: 'second' }],
  });
});
