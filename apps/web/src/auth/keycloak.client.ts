import Keycloak from 'keycloak-js';
import { siteConfig } from '../api/config.ts';
import { api } from '../api/endpoints.ts';
import { speakFor } from '../api/http.ts';
import { paths } from '../paths.ts';
import { keepDrafts } from '../forms/drafts.ts';
import {
  onSignedOutElsewhere,
  rememberIntent,
  rememberSignedIn,
  rememberSigningOut,
} from './browser-memory.ts';
import { destinationAfterSignIn } from './destination.ts';
import { beginSession, dropSession, endSession } from './session.ts';

export { SessionEnded } from './session-ended.tsx';

/** A hidden frame that has not answered by now will not; the page is shown to a visitor instead. */
const restoreDeadlineMs = 5_000;

let started: Promise<Keycloak> | undefined;

function realmUrl(): string {
  const { url, realm } = siteConfig().keycloak;
  return `${url.replace(/\/$/, '')}/realms/${realm}`;
}

function keycloak(onLoad?: 'check-sso'): Promise<Keycloak> {
  started ??= start(onLoad);
  return started;
}

async function start(onLoad?: 'check-sso'): Promise<Keycloak> {
  const endpoints = `${realmUrl()}/protocol/openid-connect`;
  // Told its endpoints, the adapter skips its third-party cookie probe: Keycloak shares our site.
  const instance = new Keycloak({
    clientId: siteConfig().keycloak.clientId,
    oidcProvider: {
      authorization_endpoint: `${endpoints}/auth`,
      token_endpoint: `${endpoints}/token`,
      end_session_endpoint: `${endpoints}/logout`,
    },
  });
  await instance.init({
    onLoad,
    pkceMethod: 'S256',
    checkLoginIframe: false,
    redirectUri: location.origin + paths.authCallback,
    silentCheckSsoRedirectUri: location.origin + paths.authSilent,
    silentCheckSsoFallback: false,
  });
  return instance;
}

function adopt(instance: Keycloak): void {
  const renew = async (minValidity: number) => {
    try {
      await instance.updateToken(minValidity);
    } catch {
      // The adapter drops its tokens when Keycloak refuses them, and keeps them when Keycloak is merely away.
      if (!instance.token) endSession();
    }
    return instance.token;
  };
  speakFor({ token: () => renew(20), renew: () => renew(-1) });
  rememberSignedIn(true);
  onSignedOutElsewhere(() => {
    keepDrafts();
    forget();
  });
  beginSession(instance.subject ?? '');
}

function forget(): void {
  speakFor(undefined);
  started = undefined;
  dropSession();
}

/** Asks Keycloak, unseen, whether this browser is still signed in. */
export async function restore(): Promise<void> {
  try {
    const late = new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error('Keycloak did not answer in time')), restoreDeadlineMs);
    });
    const instance = await Promise.race([keycloak('check-sso'), refuseIfUnreachable(), late]);
    if (!instance.authenticated) {
      rememberSignedIn(false);
      return;
    }
    adopt(instance);
    api.openSession().catch((error: unknown) => console.error(error));
  } catch (error) {
    console.error(error);
    started = undefined;
  }
}

async function refuseIfUnreachable(): Promise<never> {
  await assertReachable();
  return new Promise<never>(() => {});
}

async function assertReachable(): Promise<void> {
  const response = await fetch(`${realmUrl()}/.well-known/openid-configuration`, {
    signal: AbortSignal.timeout(restoreDeadlineMs),
  });
  if (!response.ok) throw new Error(`Keycloak answers ${response.status}`);
}

/** Ends the way back from Keycloak's pages: tokens, the creator's record, and where to go now. */
export async function finishSignIn(): Promise<string> {
  const instance = await keycloak();
  // No answer for a question of ours, as after a password reset: asking anew comes back at once.
  if (!instance.authenticated) {
    started = undefined;
    return paths.login;
  }
  adopt(instance);
  const creator = await api.openSession().catch((error: unknown) => {
    console.error(error);
    return undefined;
  });
  return destinationAfterSignIn(creator, instance.idTokenParsed?.auth_time);
}

/** Leaves for Keycloak's page. Rejects, still here, when Keycloak cannot be reached. */
export async function handOver(to: 'login' | 'signup' | 'forgot-password'): Promise<void> {
  await assertReachable();
  location.replace(await addressOf(to));
}

async function addressOf(to: 'login' | 'signup' | 'forgot-password'): Promise<string> {
  if (to === 'forgot-password') {
    const { clientId: client_id } = siteConfig().keycloak;
    const query = new URLSearchParams({ client_id, redirect_uri: location.origin + paths.authCallback });
    return `${realmUrl()}/login-actions/reset-credentials?${query}`;
  }
  const instance = await keycloak();
  rememberIntent(to);
  const login = await instance.createLoginUrl();
  return to === 'login' ? login : login.replace('/openid-connect/auth?', '/openid-connect/registrations?');
}

/** Signs out here and, where that is still possible, at Keycloak; leads to the home page. */
export async function signOut(): Promise<void> {
  const instance = await keycloak();
  const { idToken } = instance;
  try {
    if (!idToken) throw new Error('There is no session to end');
    await assertReachable();
    rememberSigningOut();
    await instance.logout({ redirectUri: location.origin + paths.home });
  } catch (error) {
    console.error(error);
    rememberSignedIn(false);
    // A new page: dropping the session on this one would have its guard lead to the login first.
    location.assign(paths.home);
  }
}
