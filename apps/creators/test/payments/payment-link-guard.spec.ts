import {
  type Caller,
  creators,
  identity,
  limits,
  offerings,
  type Paygate,
  type UndoneLinkChangeFacts,
} from '@stoa/contracts';
import { makeCaller, type ServiceUnderTest, waitFor } from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { changes, startCreators } from '../creators-under-test.ts';

let service: ServiceUnderTest;

beforeAll(async () => {
  service = await startCreators();
});
afterAll(() => service.stop());

const tips: Paygate = { name: 'Tips', url: 'https://tips.example.com/ama' };
const till: Paygate = { name: 'Till', url: 'https://till.example.net/ama' };

const save = (caller: Caller, paygates: Paygate[]) =>
  service.ask(creators.update, changes({ paygates }), caller);
const justLoggedIn = (caller: Caller) => ({ ...caller, authenticatedAt: new Date().toISOString() });

/** Creates a creator with these links whose log-in is old, as in a browser that was left open. */
async function aCreatorWith(paygates: Paygate[]): Promise<Caller> {
  const longAgo = Date.now() - limits.freshLoginMinutes * 60_000 - 1000;
  const caller = makeCaller({ authenticatedAt: new Date(longAgo).toISOString() });
  await service.ask(creators.open, {}, caller);
  // Saved before the profile is public, so that this link never counts as a known payee.
  await save(caller, [till]);
  await service.ask(creators.update, changes({ contactBy: 'form', paygates }), justLoggedIn(caller));
  return caller;
}

const refusalAt = (...fields: string[]) => ({
  code: 'fresh_login_required',
  fields: fields.map((field) => ({ field, message: 'Log in again to change where payments go.' })),
});

test('a new payee in the links of a published profile needs a fresh log-in', async () => {
  const caller = await aCreatorWith([tips]);
  const moved = { ...tips, url: till.url };
  await expect(save(caller, [moved])).rejects.toMatchObject(refusalAt('paygates.0.url'));
  await expect(save(caller, [tips, till])).rejects.toMatchObject(refusalAt('paygates.1.url'));
  expect((await service.ask(creators.readOwn, {}, caller)).paygates).toEqual([tips]);
  expect(await save(justLoggedIn(caller), [moved])).toMatchObject({ paygates: [moved] });
  expect(await save(caller, [{ ...moved, name: 'Other words' }])).toMatchObject({
    paygates: [{ name: 'Other words' }],
  });
});

test('removing a link first does not allow another payee, only the same one [creators-19]', async () => {
  const caller = await aCreatorWith([tips]);
  await save(caller, []);
  await expect(save(caller, [till])).rejects.toMatchObject(refusalAt('paygates.0.url'));
  expect(await save(caller, [tips])).toMatchObject({ paygates: [tips] });
});

test.each([
  ['another path', 'https://tips.example.com/mallory'],
  ['no encryption', 'http://tips.example.com/ama'],
  ['a payee in the query', 'https://tips.example.com/ama?to=mallory'],
])('%s at the same host needs a fresh log-in', async (_, url) => {
  const caller = await aCreatorWith([tips]);
  await expect(save(caller, [{ ...tips, url }])).rejects.toMatchObject(refusalAt('paygates.0.url'));
});

test('another spelling, another order and fewer links need no fresh log-in', async () => {
  const caller = await aCreatorWith([tips, till]);
  const same = { name: 'Yearly', url: 'https://www.tips.example.com/ama/' };
  expect(await save(caller, [till, tips, same])).toMatchObject({ paygates: [till, tips, same] });
  expect(await save(caller, [same])).toMatchObject({ paygates: [same] });
});

test('a new payee in a link of the creator’s own choice needs a fresh log-in', async () => {
  const caller = await aCreatorWith([tips]);
  const links = [{ label: 'Pay me here', url: till.url }];
  const change = changes({ paygates: [], links });
  await expect(service.ask(creators.update, change, caller)).rejects.toMatchObject(refusalAt('links.0.url'));
  await service.ask(creators.update, change, justLoggedIn(caller));
  const moved = await service.events.next(
    creators.paymentsMoved,
    ({ uid, before }) => uid === caller.uid && before.length > 0,
  );
  expect(moved).toMatchObject({
    before: [tips],
    after: [{ name: 'Pay me here', url: till.url, place: 'own' }],
    follows: false,
  });
  // The payee of the other link is known for the whole profile, so this one needs no recent log-in.
  expect(await save(caller, [till])).toMatchObject({ paygates: [till] });
});

test('publishing a profile with links needs a fresh log-in', async () => {
  const longAgo = Date.now() - limits.freshLoginMinutes * 60_000 - 1000;
  const caller = makeCaller({ authenticatedAt: new Date(longAgo).toISOString() });
  await service.ask(creators.open, {}, caller);
  const links = [{ label: 'Shop', url: 'https://shop.example.org/' }];
  await service.ask(creators.update, changes({ paygates: [tips], links }), caller);
  const publish = changes({ contactBy: 'form', paygates: [tips] });
  await expect(service.ask(creators.update, publish, caller)).rejects.toMatchObject(
    refusalAt('paygates.0.url', 'links.0.url'),
  );
  const empty = changes({ contactBy: 'form', paygates: [], links: [] });
  expect(await service.ask(creators.update, empty, caller)).toMatchObject({ published: true });
});

test('a payee of an offering is known to the whole account [creators-20]', async () => {
  const caller = await aCreatorWith([tips]);
  const facts = { uid: caller.uid, payee: till.url, since: new Date().toISOString() };
  await service.announce(offerings.payeeNoted, { ...facts, endedAt: null, distrusted: false, asOf: 1 });
  await waitFor(async () => expect(await save(caller, [till])).toMatchObject({ paygates: [till] }));
});

test('an edit of an older version is refused before the payee is checked', async () => {
  const caller = await aCreatorWith([tips]);
  const { version: editedVersion } = await service.ask(creators.readOwn, {}, caller);
  await save(caller, [tips]);
  const stale = { ...changes({ paygates: [till] }), editedVersion };
  const refused = { code: 'precondition_failed' };
  await expect(service.ask(creators.update, stale, caller)).rejects.toMatchObject(refused);
});

test('a new payee is announced with all links before and after the change', async () => {
  const caller = await aCreatorWith([tips]);
  await save(justLoggedIn(caller), [till]);
  await save(caller, [{ ...till, name: 'Other words' }]);
  const third = { name: 'Third', url: 'https://third.example.org/' };
  await save(justLoggedIn(caller), [till, third]);
  await service.events.next(
    creators.paymentsMoved,
    ({ uid, after }) => uid === caller.uid && after.length === 2,
  );
  const facts = { id: expect.any(String), uid: caller.uid, offeringId: null, at: expect.any(String) };
  const all = service.events.all(creators.paymentsMoved).filter(({ uid }) => uid === caller.uid);
  expect(all).toEqual([
    { ...facts, before: [], after: [tips], follows: false },
    { ...facts, before: [tips], after: [till], follows: false },
    { ...facts, before: [{ ...till, name: 'Other words' }], after: [till, third], follows: false },
  ]);
});

/** The event after the owner has undone a change. It restores the link `tips`. */
const undoneBy = ({ uid }: Caller): UndoneLinkChangeFacts => ({
  ...{ uid, offeringId: null, links: [tips], namesOwnLinks: false, distrusted: [] },
  undoneAt: new Date().toISOString(),
});

test('an undo restores the former links once [creators-21]', async () => {
  const caller = await aCreatorWith([tips]);
  const { version } = await save(justLoggedIn(caller), [till]);
  const undone = undoneBy(caller);
  const eventId = randomUUID();
  // An undone change of an offering must not affect the profile.
  await service.announce(identity.linkChangeUndone, { ...undone, offeringId: randomUUID(), links: [] });
  await service.announce(identity.linkChangeUndone, undone, eventId);
  await service.announce(identity.linkChangeUndone, undone, eventId);
  const stored = () => service.ask(creators.readOwn, {}, caller);
  await waitFor(async () => expect((await stored()).paygates).toEqual([tips]));
  const last = await aCreatorWith([till]);
  await service.announce(identity.linkChangeUndone, undoneBy(last));
  await waitFor(async () => expect((await service.ask(creators.readOwn, {}, last)).paygates).toEqual([tips]));
  expect((await stored()).version).toBe(version + 1);
});

test('an undo restores own links too, and the undone payee needs a fresh log-in again', async () => {
  const caller = await aCreatorWith([tips]);
  const links = [{ label: 'Pay me here', url: till.url }];
  await service.ask(creators.update, changes({ paygates: [], links }), justLoggedIn(caller));
  await service.announce(identity.linkChangeUndone, {
    ...{ ...undoneBy(caller), namesOwnLinks: true, distrusted: [till.url] },
  });
  await waitFor(async () =>
    expect(await service.ask(creators.readOwn, {}, caller)).toMatchObject({ paygates: [tips], links: [] }),
  );
  await expect(save(caller, [till])).rejects.toMatchObject(refusalAt('paygates.0.url'));
});

test('a late undo keeps newer links, but not those that it undoes', async () => {
  const caller = await aCreatorWith([tips]);
  const undoneAt = new Date(Date.now() - 60_000).toISOString();
  const undone = { ...undoneBy(caller), undoneAt };
  const stored = async () => (await service.ask(creators.readOwn, {}, caller)).paygates;
  const newer = { name: 'Newer', url: 'https://newer.example.org/' };
  await save(justLoggedIn(caller), [newer]);
  await service.announce(identity.linkChangeUndone, { ...undone, distrusted: [till.url] });
  await waitFor(
    async () => await expect(save(caller, [till])).rejects.toMatchObject(refusalAt('paygates.0.url')),
  );
  expect(await stored()).toEqual([newer]);
  await service.announce(identity.linkChangeUndone, { ...undone, distrusted: [newer.url] });
  await waitFor(async () => expect(await stored()).toEqual([tips]));
});
