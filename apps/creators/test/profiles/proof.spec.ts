import { creators, identity } from '@stoa/contracts';
import { makeCaller, type ServiceUnderTest, startServiceUnderTest, waitFor, withClient } from '@stoa/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CreatorsModule } from '../../src/creators.module.ts';
import { changes } from '../creators-under-test.ts';

let service: ServiceUnderTest;

beforeAll(async () => {
  const folder = new URL('../../', import.meta.url);
  const environment = { PUBLISH_NEEDS_PROOF: 'true' };
  service = await startServiceUnderTest(CreatorsModule, { service: 'creators', folder, environment });
});
afterAll(() => service.stop());

/** Reads the proved addresses of an account from the database. */
const provedOf = (uid: string) =>
  withClient(service.databaseUrl, async (client) => {
    const { rows } = await client.query<{ email: string }>(
      'SELECT email FROM proved_address WHERE uid = $1',
      [uid],
    );
    return rows.map(({ email }) => email);
  });

/** Reports through which public reads visitors find a creator. */
async function shown(username: string) {
  const found = await service.ask(creators.find, { username }).then(
    () => true,
    (error: { code: string }) => error.code !== 'not_found',
  );
  const { items, total } = await service.ask(creators.browse, { limit: 60 });
  const profiles = await service.ask(creators.listProfiles, {});
  return {
    found,
    browsed: items.some((creator) => creator.username === username),
    total,
    listed: profiles.items.some((profile) => profile.username === username),
  };
}

test('if publishing requires a verified address, verification makes the profile public', async () => {
  const proved = makeCaller();
  const others = [makeCaller(), makeCaller()];
  const caller = makeCaller({ emailVerified: false });
  for (const each of [proved, ...others, caller]) {
    await service.ask(creators.open, {}, each);
    await service.ask(creators.update, changes({ contactBy: 'form' }), each);
  }
  expect(await service.ask(creators.open, {}, caller)).toMatchObject({ creator: { isPublic: false } });
  expect(await service.ask(creators.readOwn, {}, caller)).toMatchObject({ isPublic: false });
  expect(await service.ask(creators.readOwn, {}, proved)).toMatchObject({ isPublic: true });
  const hidden = { found: false, browsed: false, total: 3, listed: false };
  expect(await shown(caller.username)).toEqual(hidden);
  const mailbox = service.ask(creators.findMailbox, { username: caller.username });
  await expect(mailbox).rejects.toMatchObject({ code: 'not_found' });

  const { uid, email } = caller;
  const { version } = await service.ask(creators.readOwn, {}, caller);
  await service.announce(identity.emailVerified, { uid, email, at: new Date().toISOString() });
  // Waits for the event that updates caches. The event of the earlier save may still arrive, so the version must be higher.
  await service.events.next(creators.changed, (facts) => facts.uid === uid && facts.version > version);
  const everywhere = { found: true, browsed: true, total: 4, listed: true };
  expect(await shown(caller.username)).toEqual(everywhere);
  expect(await service.ask(creators.readOwn, {}, caller)).toMatchObject({ isPublic: true });

  const moved = { ...caller, email: 'elsewhere@example.test' };
  expect(await service.ask(creators.open, {}, moved)).toMatchObject({ creator: { isPublic: false } });
  expect(await shown(caller.username)).toEqual(hidden);
});

const prove = (uid: string, email: string, at = new Date()) =>
  service.announce(identity.emailVerified, { uid, email, at: at.toISOString() });

test('a proof that arrives before the record has the address applies once it has', async () => {
  const caller = makeCaller({ emailVerified: false });
  const { uid } = caller;
  await prove(uid, caller.email);
  // When the proof is stored, the service has handled the event.
  await waitFor(async () => {
    expect(await provedOf(uid)).toEqual([caller.email]);
  });
  expect(await service.ask(creators.open, {}, caller)).toMatchObject({ creator: { emailVerified: true } });
  const moved = { ...caller, email: 'moved@example.test' };
  await prove(uid, moved.email);
  await waitFor(async () => expect(await provedOf(uid)).toEqual([moved.email]));
  expect(await service.ask(creators.open, {}, moved)).toMatchObject({ creator: { emailVerified: true } });
});

test('a late event of an older verification proves nothing', async () => {
  const caller = makeCaller({ emailVerified: false, email: 'second@example.test' });
  const { uid } = caller;
  await prove(uid, 'third@example.test');
  await waitFor(async () => expect(await provedOf(uid)).toEqual(['third@example.test']));
  await prove(uid, caller.email, new Date(Date.now() - 60_000));
  const marker = makeCaller();
  await prove(marker.uid, marker.email);
  await waitFor(async () => expect(await provedOf(marker.uid)).toEqual([marker.email]));
  expect(await provedOf(uid)).toEqual(['third@example.test']);
  expect(await service.ask(creators.open, {}, caller)).toMatchObject({ creator: { emailVerified: false } });
});

test('closing an account deletes its proved address', async () => {
  const { uid, email } = makeCaller();
  await prove(uid, email);
  await waitFor(async () => expect(await provedOf(uid)).toEqual([email]));
  await service.announce(identity.closed, { uid, at: new Date().toISOString() });
  await waitFor(async () => expect(await provedOf(uid)).toEqual([]));
  await prove(uid, email);
  const marker = makeCaller();
  await prove(marker.uid, marker.email);
  await waitFor(async () => expect(await provedOf(marker.uid)).toEqual([marker.email]));
  expect(await provedOf(uid)).toEqual([]);
});
