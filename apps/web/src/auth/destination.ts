import type { Creator } from '@stoa/contracts';
import { paths } from '../paths.ts';
import { takeIntent, takePlace } from './browser-memory.ts';

const clockToleranceSeconds = 120;

/**
 * A record made by this very sign-in is a sign-up, also when the visitor changed their mind on Keycloak's page:
 * it can be no older than the authentication. Only someone who set out to sign up gets tolerance for clocks.
 */
export function destinationAfterSignIn(
  creator: Creator | undefined,
  authenticatedAt: number | undefined,
): string {
  const place = takePlace();
  const wantedToSignUp = takeIntent() === 'signup';
  if (!creator) return wantedToSignUp ? paths.createProfile : (place ?? paths.dashboard);
  const bornAt = Date.parse(creator.createdAt) / 1000;
  const tolerance = wantedToSignUp ? clockToleranceSeconds : 0;
  const isNew = authenticatedAt !== undefined && bornAt >= authenticatedAt - tolerance;
  return isNew ? paths.createProfile : (place ?? paths.dashboard);
}
