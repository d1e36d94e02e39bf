import { paths } from '../paths.ts';
import { takeIntent, takeReturnPath } from '../browser/sign-in-notes.ts';

/**
 * A record made by this very sign-in is a sign-up, also when the visitor changed their mind on Keycloak's page. What
 * they set out to do decides only when the server could not be asked.
 */
export function destinationAfterSignIn(opened: { isNew: boolean } | undefined): string {
  const place = takeReturnPath();
  const wantedToSignUp = takeIntent() === 'signup';
  const isNew = opened ? opened.isNew : wantedToSignUp;
  return isNew ? paths.createProfile : (place ?? paths.dashboard);
}
