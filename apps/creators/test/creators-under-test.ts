import { creators, type ProfileChanges } from '@stoa/contracts';
import { makeCaller, type ServiceUnderTest, startServiceUnderTest } from '@stoa/testing';
import { CreatorsModule } from '../src/creators.module.ts';

/** A valid profile form. */
export const changes = (more: Partial<ProfileChanges> = {}): ProfileChanges => ({
  displayName: 'Zoë Ångström',
  bio: 'Paints the sea.',
  paygates: [],
  socialLinks: { youtube: null, tiktok: null, instagram: null },
  niches: ['Artist'],
  ...more,
});

export function startCreators(): Promise<ServiceUnderTest> {
  const folder = new URL('../', import.meta.url);
  return startServiceUnderTest(CreatorsModule, { service: 'creators', folder });
}

/** Creates the record of an account and publishes its profile. */
export async function makeCreatorOf(service: ServiceUnderTest, more: Partial<ProfileChanges> = {}) {
  const caller = makeCaller();
  await service.ask(creators.open, {}, caller);
  await service.ask(creators.update, changes({ contactBy: 'email', ...more }), caller);
  return caller;
}
