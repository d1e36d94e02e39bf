import { creators, identity, offerings, type ProfileChanges } from '@stoa/contracts';
import {
  makeOfferingFacts,
  makeCaller,
  randomPicture,
  requestSubjects,
  type ServiceUnderTest,
  waitFor,
} from '@stoa/testing';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeCreatorOf, changes, startCreators } from '../creators-under-test.ts';

let service: ServiceUnderTest;
const aCreator = (more?: Partial<ProfileChanges>) => makeCreatorOf(service, more);

beforeAll(async () => {
  service = await startCreators();
});
afterAll(() => service.stop());

test('every request of the contract has a handler', () => {
  expect(service.handled()).toEqual(requestSubjects(creators));
});

test('open creates the record from the claims once and reports it as new', async () => {
  const caller = makeCaller({ username: 'MixedCase', email: 'Person@Example.Test' });
  const answers = await Promise.all([1, 2, 3].map(() => service.ask(creators.open, {}, caller)));
  for (const { creator } of answers) {
    expect(creator).toMatchObject({ uid: caller.uid, username: 'mixedcase', email: 'person@example.test' });
  }
  expect(answers.filter(({ isNew }) => isNew)).toHaveLength(1);
  const moved = await service.ask(creators.open, {}, { ...caller, email: 'elsewhere@example.test' });
  expect(moved).toMatchObject({ isNew: false, creator: { email: 'elsewhere@example.test' } });
  await service.events.next(creators.opened, ({ uid }) => uid === caller.uid);
  expect(service.events.all(creators.opened).filter(({ uid }) => uid === caller.uid)).toHaveLength(1);
});

test('an older token does not restore an older address', async () => {
  const caller = makeCaller({ tokenIssuedAt: '2026-01-01T10:00:00.000Z' });
  await service.ask(creators.open, {}, caller);
  const later = { ...caller, email: 'later@example.test', tokenIssuedAt: '2026-01-01T10:05:00.000Z' };
  await service.ask(creators.open, {}, later);
  const { creator, isNew } = await service.ask(creators.open, {}, caller);
  expect([creator.email, isNew]).toEqual(['later@example.test', false]);
  expect(creator).not.toHaveProperty('claimsIssuedAt');
});

test('a username that another account holds is refused [creators-13]', async () => {
  await service.ask(creators.open, {}, makeCaller({ username: 'taken' }));
  const second = service.ask(creators.open, {}, makeCaller({ username: 'Taken' }));
  await expect(second).rejects.toMatchObject({ code: 'conflict' });
});

test('a saved profile is public under its username in any letter case', async () => {
  const picture = randomPicture({ path: 'profile_pictures/a/b' });
  const caller = await aCreator({
    profileImage: picture,
    paygates: [{ name: 'Tips', url: 'https://tips.example.com/' }],
  });
  const found = await service.ask(creators.find, { username: caller.username.toUpperCase() });
  expect(found).toMatchObject({
    displayName: 'Zoë Ångström',
    niches: ['Artist'],
    profileImage: { id: picture.id },
  });
  expect(found).not.toHaveProperty('version');
});

test('the second of two edits of one version is refused (optimistic locking)', async () => {
  const caller = await aCreator();
  const { version: editedVersion } = await service.ask(creators.readOwn, {}, caller);
  const edits = ['First', 'Second'].map((displayName) =>
    service.ask(creators.update, { ...changes({ displayName }), editedVersion }, caller),
  );
  const [taken, refused] = (await Promise.allSettled(edits)).toSorted((a) =>
    a.status === 'fulfilled' ? -1 : 1,
  );
  expect(refused).toMatchObject({ reason: { code: 'precondition_failed' } });
  const stored = await service.ask(creators.readOwn, {}, caller);
  expect(taken).toEqual({ status: 'fulfilled', value: stored });
  expect(stored.version).toBe(editedVersion + 1);
  await service.ask(creators.update, { ...changes(), editedVersion: stored.version }, caller);
  await service.ask(creators.update, changes(), caller);
});

test('an edit by a caller without a profile is not_found', async () => {
  const attempt = service.ask(creators.update, { ...changes(), editedVersion: 1 }, makeCaller());
  await expect(attempt).rejects.toMatchObject({ code: 'not_found' });
});

test('the picture is kept when the form omits it and removed when it is null', async () => {
  const picture = randomPicture({ path: 'profile_pictures/a/c' });
  const caller = await aCreator({ profileImage: picture });
  const kept = await service.ask(creators.update, changes(), caller);
  expect(kept.profileImage?.id).toBe(picture.id);
  const removed = await service.ask(creators.update, changes({ profileImage: null }), caller);
  expect(removed.profileImage).toBeNull();
  const facts = await service.events.next(creators.changed, (f) => f.uid === caller.uid && f.version === 4);
  expect(facts.profileImageId).toBeNull();
});

test('a profile is public once it is saved with a way of contact', async () => {
  const caller = makeCaller();
  const { username, uid } = caller;
  const isOpen = async () => {
    const found = await service.ask(creators.findMany, { usernames: [username] });
    const page = await service.ask(creators.browse, { search: username, limit: 60 });
    const { items } = await service.ask(creators.listProfiles, {});
    const listed = items.some((entry) => entry.username === username);
    return [found.items.length === 1, page.total === 1 && page.items[0]?.uid === uid, listed];
  };
  const { creator } = await service.ask(creators.open, {}, caller);
  expect(creator).toMatchObject({ published: false, isPublic: false });
  expect(await isOpen()).toEqual([false, false, false]);
  const unchosen = await service.ask(creators.update, changes(), caller);
  expect(unchosen).toMatchObject({ published: false, isPublic: false });
  await expect(service.ask(creators.find, { username })).rejects.toMatchObject({ code: 'not_found' });
  await expect(service.ask(creators.findMailbox, { username })).rejects.toMatchObject({ code: 'not_found' });

  const saved = await service.ask(creators.update, changes({ contactBy: 'form' }), caller);
  expect(saved).toMatchObject({ published: true, isPublic: true });
  expect(await isOpen()).toEqual([true, true, true]);
  expect(await service.ask(creators.find, { username })).toMatchObject({ contactBy: 'form', email: null });
  expect(await service.ask(creators.update, changes(), caller)).toMatchObject({ published: true });
});

test('findMany reads several profiles and omits unknown usernames', async () => {
  const [first, second] = [await aCreator(), await aCreator({ contactBy: 'form' })];
  const usernames = [first.username.toUpperCase(), second.username, 'nobody-at-all', '\u0000'];
  await expect(service.ask(creators.findMany, { usernames })).rejects.toMatchObject({
    code: 'invalid_input',
  });
  const { items } = await service.ask(creators.findMany, { usernames: usernames.slice(0, 3) });
  expect(items).toHaveLength(2);
  for (const profile of items) expect(profile).toEqual(await service.ask(creators.find, profile));
});

test.each([
  ['paygates', { paygates: [{ name: 'p', url: 'https://e.example/\u0000' }] }],
  [
    'socialLinks',
    { socialLinks: { youtube: null, tiktok: null, instagram: 'https://instagram.com/\u0000' } },
  ],
] as const)('control characters in %s are invalid input, not an internal error', async (_, more) => {
  const caller = makeCaller();
  await service.ask(creators.open, {}, caller);
  const attempt = service.ask(creators.update, { ...changes(), ...more } as ProfileChanges, caller);
  await expect(attempt).rejects.toMatchObject({ code: 'invalid_input' });
});

test('a link to a private host is refused at its field (SSRF)', async () => {
  const caller = makeCaller();
  await service.ask(creators.open, {}, caller);
  const inside = changes({
    paygates: [
      { name: 'Tips', url: 'https://tips.example.com/' },
      { name: 'Metadata', url: 'http://2852039166/latest/meta-data' },
    ],
  });
  await expect(service.ask(creators.update, inside, caller)).rejects.toMatchObject({
    code: 'invalid_input',
    fields: [{ field: 'paygates.1.url', message: 'Enter a link that everybody can open.' }],
  });
});

test('a social link outside its network is refused at its field [creators-14]', async () => {
  const caller = await aCreator();
  const socialLinks = {
    youtube: 'https://youtube.com.evil.example/@ada',
    tiktok: 'http://localhost/',
    instagram: 'https://www.instagram.com/ada',
  };
  await expect(service.ask(creators.update, changes({ socialLinks }), caller)).rejects.toMatchObject({
    code: 'invalid_input',
    fields: [
      { field: 'socialLinks.youtube', message: 'Enter a link to YouTube.' },
      { field: 'socialLinks.tiktok', message: 'Enter a link to TikTok.' },
    ],
  });
});

test('a record that a newer rule would refuse stays readable', async () => {
  const caller = await aCreator();
  const invalid = {
    paygates: [{ name: 'a\u200b\nb'.repeat(40), url: 'http://user:secret@127.0.0.1/\u0007' }],
    socialLinks: { youtube: 'not a link', tiktok: null, instagram: null },
  };
  const database = new Client({ connectionString: service.databaseUrl });
  await database.connect();
  await database.query(
    `UPDATE creator SET display_name = E'\\u202Eodd', paygates = $2, social_links = $3 WHERE uid = $1`,
    [caller.uid, JSON.stringify(invalid.paygates), JSON.stringify(invalid.socialLinks)],
  );
  await database.end();
  const { username } = caller;
  expect(await service.ask(creators.find, { username })).toMatchObject(invalid);
  expect(await service.ask(creators.readOwn, {}, caller)).toMatchObject(invalid);
  const page = await service.ask(creators.browse, { search: username, limit: 1 });
  expect(page.items).toMatchObject([{ uid: caller.uid, displayName: '\u202Eodd' }]);
});

test('an unreadable row fails neither a page of the list nor a batch', async () => {
  const [unreadable, other] = [await aCreator({ bio: 'oddpicture' }), await aCreator({ bio: 'oddpicture' })];
  const username = `old.name-${unreadable.username.slice(0, 8)}`;
  const database = new Client({ connectionString: service.databaseUrl });
  await database.connect();
  await database.query(
    `UPDATE creator SET username = $2, profile_image = '{"path": "elsewhere"}', header_image = '7', niches = '{Poet,Wizard}',
            social_links = '[]', paygates = '{}', contact_by = 'pigeon', palette = 'beige', layout = 'heap' WHERE uid = $1`,
    [unreadable.uid, username],
  );
  await database.end();
  const page = await service.ask(creators.browse, { search: 'oddpicture', limit: 60 });
  expect(page.items.map(({ uid }) => uid)).toEqual([other.uid, unreadable.uid]);
  expect(page.items[1]).toMatchObject({ username, profileImage: null, niches: ['Poet'] });
  expect(await service.ask(creators.readOwn, {}, unreadable)).toMatchObject({
    profileImage: null,
    contactBy: 'form',
    palette: 'terracotta',
    layout: 'cards',
  });
  const { items } = await service.ask(creators.findMany, { usernames: [username, other.username] });
  expect(items.toSorted((a) => (a.uid === unreadable.uid ? -1 : 1))).toMatchObject([
    { uid: unreadable.uid, paygates: [], socialLinks: { youtube: null }, contactBy: 'form', email: null },
    { uid: other.uid },
  ]);
  const listed = await service.ask(creators.listProfiles, {});
  expect(listed.items.map((entry) => entry.username)).toContain(username);
  const saved = await service.ask(creators.update, changes({ contactBy: 'email' }), unreadable);
  expect(saved).toMatchObject({ contactBy: 'email', displayName: 'Zoë Ångström' });
});

test('the address of a creator contacted by form is revealed to the gateway only', async () => {
  const caller = await aCreator({ contactBy: 'form' });
  const { username } = caller;
  expect(await service.ask(creators.find, { username })).toMatchObject({ contactBy: 'form', email: null });
  const page = await service.ask(creators.browse, { search: username, limit: 1 });
  expect(page.items).toHaveLength(1);
  expect(JSON.stringify(page)).not.toContain(caller.email);
  expect((await service.ask(creators.browse, { search: caller.email, limit: 1 })).items).toEqual([]);
  expect(await service.ask(creators.findMailbox, { username: username.toUpperCase() })).toEqual({
    uid: caller.uid,
    username,
    displayName: 'Zoë Ångström',
    email: caller.email,
    emailVerified: true,
  });
  expect(await service.ask(creators.readOwn, {}, caller)).toMatchObject({
    contactBy: 'form',
    email: caller.email,
  });
  // A form without `contactBy` must not change the stored value.
  expect(await service.ask(creators.update, changes(), caller)).toMatchObject({ contactBy: 'form' });
});

test.each([
  ['palette', { palette: 'terracotta' }, { palette: 'aegean' }, { palette: 'beige' as 'plum' }],
  ['layout', { layout: 'cards' }, { layout: 'list' }, { layout: 'heap' as 'list' }],
] as const)(
  'a %s is public, kept by a form without it, and refused if unknown [creators-15]',
  async (_, initial, chosen, unknown) => {
    const caller = await aCreator();
    const find = () => service.ask(creators.find, { username: caller.username });
    expect(await find()).toMatchObject(initial);
    expect(await service.ask(creators.update, changes(chosen), caller)).toMatchObject(chosen);
    expect(await service.ask(creators.update, changes(), caller)).toMatchObject(chosen);
    expect(await find()).toMatchObject(chosen);
    await expect(service.ask(creators.update, changes(unknown), caller)).rejects.toMatchObject({
      code: 'invalid_input',
    });
    expect(await service.ask(creators.readOwn, {}, caller)).toMatchObject(chosen);
  },
);

test('a creator with a public address has no mailbox for relayed messages', async () => {
  const { username, email } = await aCreator();
  expect(await service.ask(creators.find, { username })).toMatchObject({ contactBy: 'email', email });
  const refused = service.ask(creators.findMailbox, { username });
  await expect(refused).rejects.toMatchObject({ code: 'conflict' });
  const missing = service.ask(creators.findMailbox, { username: 'nobody-at-all' });
  await expect(missing).rejects.toMatchObject({ code: 'not_found' });
});

test.each(['admin', 'Dashboard', 'no spaces', 'ab', 'a'.repeat(31), 'dots.in.it', 'ünïcode'])(
  'open refuses a token with the username %s',
  async (username) => {
    const refused = service.ask(creators.open, {}, makeCaller({ username }));
    await expect(refused).rejects.toMatchObject({
      code: 'invalid_input',
      fields: [{ field: 'username' }],
    });
  },
);

test('a later token does not change the username', async () => {
  const caller = await aCreator();
  const { creator: later } = await service.ask(creators.open, {}, { ...caller, username: 'renamed-later' });
  expect(later.username).toBe(caller.username);
});

test('open refuses claims that the contract does not allow', async () => {
  const caller = makeCaller({ username: 'no spaces allowed' });
  await expect(service.ask(creators.open, {}, caller)).rejects.toMatchObject({ code: 'invalid_input' });
  const { creator: disguised } = await service.ask(
    creators.open,
    {},
    makeCaller({ displayName: '\u0000evil' }),
  );
  expect(disguised.displayName).toBe('');
  const turned = makeCaller({ displayName: '\u202EAda' });
  expect((await service.ask(creators.open, {}, turned)).creator.displayName).toBe('Ada');
});

test('a count is stored once per event, even before its creator exists', async () => {
  const caller = makeCaller();
  const counted = (count: number) =>
    makeOfferingFacts({ creatorId: caller.uid, publicChange: 1, tally: { count, asOf: count } });
  await service.announce(offerings.published, counted(1));
  await service.announce(offerings.published, counted(2), 'same-event');
  await service.announce(offerings.published, counted(3), 'same-event');
  await service.ask(creators.open, {}, caller);
  await waitFor(
    async () => {
      expect(await service.ask(creators.readOwn, {}, caller)).toMatchObject({ offeringCount: 2 });
    },
    { timeout: 10_000 },
  );
});

test('an offering that is not public changes no count', async () => {
  const caller = makeCaller();
  const { uid: creatorId } = caller;
  const steps = [
    [offerings.published, 1, 1],
    [offerings.changed, 0, undefined],
    [offerings.published, 1, 2],
    [offerings.changed, -1, 1],
    [offerings.removed, 0, undefined],
  ] as const;
  for (const [index, [event, publicChange, count]] of steps.entries())
    await service.announce(
      event,
      makeOfferingFacts({ creatorId, publicChange, ...(count && { tally: { count, asOf: index + 1 } }) }),
    );
  await service.ask(creators.open, {}, caller);
  await waitFor(
    async () => {
      expect(await service.ask(creators.readOwn, {}, caller)).toMatchObject({ offeringCount: 1 });
    },
    { timeout: 20_000 },
  );
});

test('a token or an event verifies an address, and a new address is unverified', async () => {
  const caller = makeCaller({ emailVerified: false });
  const prove = (email: string) =>
    service.announce(identity.emailVerified, { uid: caller.uid, email, at: new Date().toISOString() });
  expect(await service.ask(creators.open, {}, caller)).toMatchObject({ creator: { emailVerified: false } });
  await prove('another@example.test');
  await prove(caller.email);
  await waitFor(
    async () => {
      expect(await service.ask(creators.readOwn, {}, caller)).toMatchObject({ emailVerified: true });
    },
    { timeout: 10_000 },
  );
  // This token still contains the address as unproved, but the stored proof counts. A new address has no proof.
  expect(await service.ask(creators.open, {}, caller)).toMatchObject({ creator: { emailVerified: true } });
  const moved = { ...caller, email: 'another@example.test' };
  expect(await service.ask(creators.open, {}, moved)).toMatchObject({ creator: { emailVerified: false } });
  const proved = { ...moved, emailVerified: true };
  expect(await service.ask(creators.open, {}, proved)).toMatchObject({ creator: { emailVerified: true } });
});

test('an unreadable event becomes a dead letter and does not block the next', async () => {
  const caller = makeCaller();
  await service.ask(creators.open, {}, caller);
  await service.announce(offerings.published, { nonsense: true } as never, 'unreadable');
  const tally = { count: 1, asOf: 1 };
  await service.announce(
    offerings.published,
    makeOfferingFacts({ creatorId: caller.uid, publicChange: 1, tally }),
  );
  expect(await service.events.nextDeadLetter(offerings.published.subject)).toMatchObject({
    id: 'unreadable',
  });
  await waitFor(
    async () => {
      expect(await service.ask(creators.readOwn, {}, caller)).toMatchObject({ offeringCount: 1 });
    },
    { timeout: 10_000 },
  );
});
