import { paths } from '../navigation/paths.ts';
import { hasSignedInBefore, rememberSignedIn, takeSigningOut } from '../browser/sign-in-storage.ts';
import { awaitSession, settleSession } from './session.ts';

/**
 * Restores the session. A visitor who never signed in does not wait. The callback page checks the session
 * itself.
 */
export function resolveSession(): void {
  if (takeSigningOut()) rememberSignedIn(false);
  const returning = location.pathname === paths.authCallback;
  if (returning || hasSignedInBefore()) awaitSession();
  if (returning || !hasSignedInBefore()) return;
  void import('./sign-in.ts')
    .then(({ restore }) => restore())
    .catch((error: unknown) => console.error(error))
    .finally(settleSession);
}
