import { paths } from '../navigation/paths.ts';
import { takeIntent, takeReturnPath } from '../browser/sign-in-notes.ts';

/**
 * A record created by this sign-in makes it a sign-up, even if the visitor switched pages at Keycloak. The
 * visitor's intent decides only if the server did not answer.
 */
export function destinationAfterSignIn(opened: { isNew: boolean } | undefined): string {
  const place = takeReturnPath();
  const wantedToSignUp = takeIntent() === 'signup';
  const isNew = opened ? opened.isNew : wantedToSignUp;
  return isNew ? paths.createProfile : (place ?? paths.dashboard);
}
