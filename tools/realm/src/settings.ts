export interface SmtpSettings {
  host: string;
  port: number;
  from: string;
  user?: string;
  password?: string;
}

export interface RealmSettings {
  /** Base URL of Keycloak, as reached from here. */
  url: string;
  adminUser: string;
  adminPassword: string;
  /** Public origin of the site; redirects, CORS and every link of the theme derive from it. */
  siteUrl: string;
  identitySecret: string;
  smtp: SmtpSettings;
  log?: (line: string) => void;
  /** How long to wait for Keycloak to answer. */
  timeoutMs?: number;
  /** Folder that holds realm.json and user-profile.json. */
  definitions?: string;
}

const required = (env: NodeJS.ProcessEnv, name: string): string => {
  const value = env[name];
  if (!value) throw new Error(`${name} is not set; the realm step cannot run without it.`);
  return value;
};

export function settingsFromEnvironment(env: NodeJS.ProcessEnv): RealmSettings {
  const port = Number(required(env, 'SMTP_PORT'));
  if (!Number.isInteger(port)) throw new Error('SMTP_PORT must be a whole number.');
  return {
    url: required(env, 'KEYCLOAK_URL'),
    adminUser: required(env, 'KEYCLOAK_ADMIN_USER'),
    adminPassword: required(env, 'KEYCLOAK_ADMIN_PASSWORD'),
    siteUrl: required(env, 'SITE_URL'),
    identitySecret: required(env, 'KEYCLOAK_IDENTITY_SECRET'),
    smtp: {
      host: required(env, 'SMTP_HOST'),
      port,
      from: required(env, 'MAIL_FROM'),
      user: env['SMTP_USER'],
      password: env['SMTP_PASSWORD'],
    },
    definitions: env['KEYCLOAK_REALM_DIR'],
  };
}
