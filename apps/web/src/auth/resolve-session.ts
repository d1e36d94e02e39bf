import { paths } from '../paths.ts';
import { hasSignedInBefore, rememberSignedIn, takeSigningOut } from '../browser/sign-in-storage.ts';
import { awaitSession, settleSession } from './session.ts';

/** Finds out who is here. A visitor who never signed in waits for nothing; the page at the callback asks for itself. */
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
