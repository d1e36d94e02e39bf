export interface SignInRoute {
  readonly url: string;
  readonly methods: readonly ('GET' | 'HEAD' | 'POST')[];
  /** The method with which scripts of the site may call this route (CORS). */
  readonly sharedWithSite?: 'GET' | 'POST';
  /** Whether links in mails lead to this route. */
  readonly opensLink?: boolean;
  /** The rate limit against which posted forms count. */
  readonly tries?: 'logIns' | 'registrations' | 'resets' | 'tokens' | 'addresses';
}

/** All routes of Keycloak that browsers can reach. The site does not need others, such as the frame that watches sessions. */
export function signInRoutes(realm: string): SignInRoute[] {
  const base = `/realms/${realm}`;
  const oidc = `${base}/protocol/openid-connect`;
  const actions = `${base}/login-actions`;
  const page = ['GET'] as const;
  const form = ['GET', 'POST'] as const;
  return [
    { url: `${base}/.well-known/openid-configuration`, methods: page, sharedWithSite: 'GET' },
    { url: `${oidc}/certs`, methods: page },
    { url: `${oidc}/auth`, methods: page },
    { url: `${oidc}/registrations`, methods: page },
    { url: `${oidc}/token`, methods: ['POST'], sharedWithSite: 'POST', tries: 'tokens' },
    { url: `${oidc}/logout`, methods: form },
    { url: `${oidc}/logout/logout-confirm`, methods: form },
    { url: `${actions}/action-token`, methods: form, opensLink: true },
    { url: `${actions}/authenticate`, methods: form, tries: 'logIns' },
    { url: `${actions}/detached-info`, methods: page },
    { url: `${actions}/registration`, methods: form, tries: 'registrations' },
    { url: `${actions}/required-action`, methods: form, tries: 'addresses' },
    { url: `${actions}/reset-credentials`, methods: form, tries: 'resets' },
    { url: `${actions}/restart`, methods: page },
    // Scripts, styles and pictures of the log-in pages. Those of the admin consoles are not reachable.
    { url: '/resources/:version/login/*', methods: ['GET', 'HEAD'] },
    { url: '/resources/:version/common/*', methods: ['GET', 'HEAD'] },
  ];
}
