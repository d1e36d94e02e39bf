/** The development server's page with links to each screen of the Keycloak theme. */
export const screensPath = '/dev/screens';

interface Screen {
  readonly name: string;
  /**
   * The theme's templates that the screen shows. A screen without them shows Keycloak's own in the theme's
   * frame.
   */
  readonly templates?: readonly string[];
  /** An address of the site, or one within the realm. */
  readonly path?: string;
  readonly inRealm?: string;
  /** The steps from the link to the screen. */
  readonly then?: string;
}

// Keycloak requires a challenge of this length. The page never completes this log-in.
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

/** The address at Keycloak that begins a log-in, or an action on the account. */
const logIn = (more: Record<string, string>): string =>
  `/protocol/openid-connect/auth?${new URLSearchParams({
    client_id: 'web',
    response_type: 'code',
    scope: 'openid',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...more,
  })}`;

const callback = '{site}/auth/callback';
const action = (name: string) => logIn({ redirect_uri: callback, kc_action: name });
const asked = 'Log in with an account that has it.';

export const screens: readonly Screen[] = [
  { name: 'Log in', path: '/login' },
  { name: 'Sign up', path: '/signup', templates: ['register'] },
  { name: 'Forgotten password', path: '/forgot-password', templates: ['login-reset-password'] },
  {
    name: 'Message after a change by mail',
    path: '/forgot-password',
    templates: ['info'],
    then: 'Open the link of the mail, and choose a password.',
  },
  { name: 'Log out', inRealm: '/protocol/openid-connect/logout', templates: ['logout-confirm'] },
  {
    name: 'Error',
    inRealm: logIn({ redirect_uri: 'https://unknown.example/' }),
    templates: ['error'],
  },
  {
    name: 'Page has expired',
    path: '/login',
    templates: ['login-page-expired'],
    then: 'Send the form with a wrong password, go back twice, and send it again.',
  },
  { name: 'New password', inRealm: action('UPDATE_PASSWORD') },
  { name: 'New email address', inRealm: action('UPDATE_EMAIL') },
  {
    name: 'Set up an authenticator app',
    inRealm: action('CONFIGURE_TOTP'),
    templates: ['login-config-totp'],
  },
  { name: 'Add a passkey', inRealm: action('webauthn-register'), templates: ['webauthn-register'] },
  {
    name: 'Recovery codes',
    inRealm: action('CONFIGURE_RECOVERY_AUTHN_CODES'),
    templates: ['login-recovery-authn-code-config'],
  },
  {
    name: 'Remove a second factor',
    path: '/dashboard/account',
    templates: ['delete-credential'],
    then: 'Remove one of the list.',
  },
  { name: 'Code of an authenticator app', path: '/login', templates: ['login-otp'], then: asked },
  { name: 'Passkey', path: '/login', templates: ['webauthn-authenticate'], then: asked },
  {
    name: 'Passkey refused',
    path: '/login',
    templates: ['webauthn-error'],
    then: `${asked} Cancel the browser’s question.`,
  },
  {
    name: 'Choice of a second factor',
    path: '/login',
    templates: ['select-authenticator'],
    then: `${asked} Choose “Try another way”.`,
  },
];

/** The page for the realm at this address. */
export function renderScreens(realmUrl: string): string {
  const items = screens.map(({ name, path, inRealm = '', then }) => {
    const address = path ?? `${realmUrl}${inRealm}`;
    return `<li><a href="${escape(address)}">${name}</a>${then ? ` ${then}` : ''}</li>`;
  });
  // The realm accepts the site's address only with its origin, which the browser knows.
  return `<!doctype html>
<html lang="en">
  <meta charset="utf-8" /><meta name="viewport" content="width=device-width, initial-scale=1" />
  <meta name="color-scheme" content="light dark" /><title>Screens of the Keycloak theme</title>
  <style>body { font: 1rem/1.6 system-ui; max-width: 44rem; margin: 2rem auto; padding: 0 1rem }</style>
  <h1>Screens of the Keycloak theme</h1>
  <p>A saved template or style is there after a reload. Those that change an account ask for a log-in first.</p>
  <ul>${items.join('\n')}</ul>
  <script>
    for (const link of document.links)
      link.href = link.href.replace(encodeURIComponent('{site}'), encodeURIComponent(location.origin));
  </script>
</html>`;
}

const escape = (value: string) => value.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
