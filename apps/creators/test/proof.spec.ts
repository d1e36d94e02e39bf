import { creators, identity } from '@stoa/contracts';
import { makeCaller, type ServiceUnderTest, startServiceUnderTest } from '@stoa/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CreatorsModule } from '../src/creators.module.ts';
import { changes } from './creators-under-test.ts';

let service: ServiceUnderTest;

beforeAll(async () => {
  const folder = new URL('../', import.meta.url);
  const environment = { PUBLISH_NEEDS_PROOF: 'true' };
  service = await startServiceUnderTest(CreatorsModule, { service: 'creators', folder, environment });
});
afterAll(() => service.stop());

/** Where visitors find a creator. */
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

test('where publishing requires a verified address, a profile is public once it is verified', async () => {
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
  // Caches of the creator are told; what was saved before is told too, and may come only now.
  await service.events.next(creators.changed, (facts) => facts.uid === uid && facts.version > version);
  const everywhere = { found: true, browsed: true, total: 4, listed: true };
  expect(await shown(caller.username)).toEqual(everywhere);
  expect(await service.ask(creators.readOwn, {}, caller)).toMatchObject({ isPublic: true });

  const moved = { ...caller, email: 'elsewhere@example.test' };
  expect(await service.ask(creators.open, {}, moved)).toMatchObject({ creator: { isPublic: false } });
  expect(await shown(caller.username)).toEqual(hidden);
});
