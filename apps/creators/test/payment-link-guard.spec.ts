import { type Caller, creators, identity, limits, type Paygate } from '@stoa/contracts';
import { makeCaller, type ServiceUnderTest, waitFor } from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { changes, startCreators } from './creators-under-test.ts';

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

/** Somebody who logged in some time ago, as in a browser that was left open, and whose profile has these links. */
async function aCreatorWith(paygates: Paygate[]): Promise<Caller> {
  const longAgo = Date.now() - limits.freshLoginMinutes * 60_000 - 1000;
  const caller = makeCaller({ authenticatedAt: new Date(longAgo).toISOString() });
  await service.ask(creators.open, {}, caller);
  await save(caller, [till]);
  // Nobody saw the profile before.
  await service.ask(creators.update, changes({ contactBy: 'form', paygates }), caller);
  return caller;
}

const refusalAt = (...fields: string[]) => ({
  code: 'fresh_login_required',
  fields: fields.map((field) => ({ field, message: 'Log in again to change where payments go.' })),
});

test('another host in the links of a published profile takes a fresh log-in', async () => {
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

test('a link cannot be changed by taking it away first', async () => {
  const caller = await aCreatorWith([tips]);
  await save(caller, []);
  await expect(save(caller, [till])).rejects.toMatchObject(refusalAt('paygates.0.url'));
});

test('other paths, another order and fewer links take no fresh log-in', async () => {
  const caller = await aCreatorWith([tips, till]);
  const path = { name: 'Yearly', url: 'https://tips.example.com/ama/year' };
  expect(await save(caller, [till, tips, path])).toMatchObject({ paygates: [till, tips, path] });
  expect(await save(caller, [path])).toMatchObject({ paygates: [path] });
});

test('an edit of an older version is refused as such first', async () => {
  const caller = await aCreatorWith([tips]);
  const { version: editedVersion } = await service.ask(creators.readOwn, {}, caller);
  await save(caller, [tips]);
  const stale = { ...changes({ paygates: [till] }), editedVersion };
  const refused = { code: 'precondition_failed' };
  await expect(service.ask(creators.update, stale, caller)).rejects.toMatchObject(refused);
});

test('another host is announced with all links of before and after', async () => {
  const caller = await aCreatorWith([tips]);
  await save(justLoggedIn(caller), [till]);
  const told = await service.events.next(creators.paymentsMoved, ({ uid }) => uid === caller.uid);
  expect(told).toEqual({
    ...{ id: expect.any(String), uid: caller.uid, offeringId: null, at: expect.any(String) },
    ...{ before: [tips], after: [till] },
  });
  await save(caller, [{ ...till, name: 'Other words' }]);
  await save(justLoggedIn(caller), [till, tips]);
  await service.events.next(creators.paymentsMoved, ({ after }) => after.length === 2);
  const all = service.events.all(creators.paymentsMoved).filter(({ uid }) => uid === caller.uid);
  expect(all.map(({ before }) => before)).toEqual([[tips], [{ ...till, name: 'Other words' }]]);
});

test('a change that is taken back puts the links of before back, once', async () => {
  const caller = await aCreatorWith([tips]);
  const { version } = await save(justLoggedIn(caller), [till]);
  const undone = { uid: caller.uid, offeringId: null, links: [tips] };
  const eventId = randomUUID();
  // What is said of an offering is no matter of the profile.
  await service.announce(identity.linkChangeUndone, { ...undone, offeringId: randomUUID(), links: [] });
  await service.announce(identity.linkChangeUndone, undone, eventId);
  await service.announce(identity.linkChangeUndone, undone, eventId);
  const stored = () => service.ask(creators.readOwn, {}, caller);
  await waitFor(async () => expect((await stored()).paygates).toEqual([tips]));
  const last = await aCreatorWith([till]);
  await service.announce(identity.linkChangeUndone, { ...undone, uid: last.uid });
  await waitFor(async () => expect((await service.ask(creators.readOwn, {}, last)).paygates).toEqual([tips]));
  expect((await stored()).version).toBe(version + 1);
});
