import { creators, type ProfileChanges } from '@stoa/contracts';
import { randomPicture, type ServiceUnderTest } from '@stoa/testing';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { changes, makeCreatorOf, startCreators } from '../creators-under-test.ts';

let service: ServiceUnderTest;
const aCreator = (more?: Partial<ProfileChanges>) => makeCreatorOf(service, more);

beforeAll(async () => {
  service = await startCreators();
});
afterAll(() => service.stop());

test('the header is public, kept by a form without it, removed by null, and announced [creators-22]', async () => {
  const headerImage = randomPicture({ path: 'profile_pictures/a/header_d' });
  const caller = await aCreator({ headerImage });
  const { uid, username } = caller;
  expect((await service.ask(creators.find, { username })).headerImage).toEqual(headerImage);
  const factsOf = (version: number) =>
    service.events.next(creators.changed, (facts) => facts.uid === uid && facts.version === version);
  expect((await factsOf(2)).headerImageId).toBe(headerImage.id);
  const kept = await service.ask(creators.update, changes(), caller);
  expect(kept.headerImage?.id).toBe(headerImage.id);
  expect((await factsOf(3)).headerImageId).toBe(headerImage.id);
  const removed = await service.ask(creators.update, changes({ headerImage: null }), caller);
  expect(removed.headerImage).toBeNull();
  expect(await factsOf(4)).toMatchObject({ headerImageId: null, profileImageId: null });
});

test('links are public in order, kept by a form without them, and replaced together [creators-23]', async () => {
  const links = [
    { label: 'GitHub', url: 'https://github.com/ama' },
    { label: 'GitHub', url: 'https://github.com.evil.net/ama' },
    { label: 'كتبي', url: 'https://ama.bandcamp.com/' },
  ];
  const caller = await aCreator({ links });
  const { username } = caller;
  // The network follows from the host of the link, not from its label.
  const read = ['github', null, 'bandcamp'].map((network, index) => ({ ...links[index], network }));
  expect((await service.ask(creators.find, { username })).links).toEqual(read);
  expect((await service.ask(creators.update, changes(), caller)).links).toEqual(read);
  const reordered = await service.ask(creators.update, changes({ links: links.toReversed() }), caller);
  expect(reordered.links).toEqual(read.toReversed());
  expect((await service.ask(creators.update, changes({ links: [] }), caller)).links).toEqual([]);
  expect((await service.ask(creators.readOwn, {}, caller)).links).toEqual([]);
});

test.each([
  ['without a label', { label: ' ', url: 'https://a.example.com/' }, 'links.0.label'],
  ['with a long label', { label: 'x'.repeat(41), url: 'https://a.example.com/' }, 'links.0.label'],
  ['to a script', { label: 'a', url: 'javascript:alert(1)' }, 'links.0.url'],
  ['into a network', { label: 'a', url: 'http://10.0.0.1/' }, 'links.0.url'],
])('a link %s is refused', async (_, link, field) => {
  const caller = await aCreator();
  const saved = service.ask(creators.update, changes({ links: [link] }), caller);
  const fields = [expect.objectContaining({ field })] as unknown;
  await expect(saved).rejects.toMatchObject({ code: 'invalid_input', fields });
});

test('more links than the limit are refused', async () => {
  const caller = await aCreator();
  const links = Array.from({ length: 11 }, () => ({ label: 'a', url: 'https://a.example.com/' }));
  const saved = service.ask(creators.update, changes({ links }), caller);
  const fields = [{ field: 'links', message: 'At most 10 links.' }];
  await expect(saved).rejects.toMatchObject({ code: 'invalid_input', fields });
});

test('a profile with unreadable links stays readable', async () => {
  const { uid, username } = await aCreator({ links: [{ label: 'a', url: 'https://a.example.com/' }] });
  const database = new Client({ connectionString: service.databaseUrl });
  await database.connect();
  await database.query(`UPDATE creator SET links = '[{"label": 7}]' WHERE uid = $1`, [uid]);
  await database.end();
  expect(await service.ask(creators.find, { username })).toMatchObject({ links: [], niches: ['Artist'] });
});
