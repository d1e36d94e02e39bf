import { paths } from '../paths.ts';
import { hasSignedInBefore, rememberSignedIn, takeSigningOut } from './browser-memory.ts';

/** Finds out who is here before anything is shown. A visitor who never signed in waits for nothing. */
export async function resolveSession(): Promise<void> {
  if (takeSigningOut()) rememberSignedIn(false);
  if (location.pathname === paths.authCallback) {
    const { finishSignIn } = await import('./keycloak.client.ts');
    try {
      history.replaceState(null, '', await finishSignIn());
    } catch (error) {
      // The page at this address says so and offers another try.
      console.error(error);
      history.replaceState(null, '', paths.authCallback);
    }
  } else if (hasSignedInBefore()) {
    const { restore } = await import('./keycloak.client.ts');
    await restore();
  }
}
