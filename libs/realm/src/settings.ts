import { z } from 'zod';

export interface SmtpSettings {
  host: string;
  port: number;
  from: string;
  user?: string;
  password?: string;
}

export interface RealmSettings {
  /** Base URL of Keycloak, as this process reaches it. */
  url: string;
  /** Secret of the client `set-up` of the realm master. */
  setUpSecret: string;
  /** Secret of the temporary client `bootstrap` that Keycloak's first start creates. */
  bootstrapSecret?: string | undefined;
  /** Public origin of the site. Redirects, CORS and every link of the theme derive from it. */
  siteUrl: string;
  identitySecret: string;
  smtp: SmtpSettings;
  log?: (line: string) => void;
  /** Milliseconds to wait until Keycloak answers. */
  timeoutMs?: number;
  /** Folder that holds realm.json, master.json and user-profile.json. */
  definitions?: string;
}

/** The environment of the step that sets up the realm. */
export const RealmEnvironment = z.object({
  KEYCLOAK_URL: z.string().describe('Address of Keycloak as the step reaches it.'),
  KEYCLOAK_SETUP_SECRET: z
    .string()
    .describe('Secret of the client `set-up` of the realm master, with which the step logs in.'),
  KEYCLOAK_BOOTSTRAP_SECRET: z
    .string()
    .optional()
    .describe("Secret of the temporary client of Keycloak's first start; used until `set-up` exists."),
  KEYCLOAK_IDENTITY_SECRET: z.string().describe('Secret to set for the client `identity`.'),
  SITE_URL: z.string().describe('Public address of the site, for redirects and links in mails.'),
  SMTP_HOST: z.string().describe('Mail server of Keycloak.'),
  SMTP_PORT: z.coerce.number().int().positive().describe('Its port.'),
  MAIL_FROM: z.string().describe('Sender of the mails for sign-in.'),
  SMTP_USER: z.string().optional().describe('User at the mail server; if set, Keycloak uses STARTTLS.'),
  SMTP_PASSWORD: z.string().optional().describe('Password of that user.'),
  KEYCLOAK_REALM_DIR: z
    .string()
    .optional()
    .describe('Folder of realm.json, master.json and user-profile.json, by default `deploy/keycloak`.'),
});

/**
 * The settings of the realm step. An empty variable counts as missing.
 *
 * @throws Error that names every variable that is missing or invalid.
 */
export function settingsFromEnvironment(env: NodeJS.ProcessEnv): RealmSettings {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value));
  const { data, error } = RealmEnvironment.safeParse(given);
  if (error) {
    const wrong = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new Error(`The realm step cannot run. ${wrong.join('; ')}.`);
  }
  return {
    url: data.KEYCLOAK_URL,
    setUpSecret: data.KEYCLOAK_SETUP_SECRET,
    bootstrapSecret: data.KEYCLOAK_BOOTSTRAP_SECRET,
    siteUrl: data.SITE_URL,
    identitySecret: data.KEYCLOAK_IDENTITY_SECRET,
    smtp: {
      host: data.SMTP_HOST,
      port: data.SMTP_PORT,
      from: data.MAIL_FROM,
      user: data.SMTP_USER,
      password: data.SMTP_PASSWORD,
    },
    definitions: data.KEYCLOAK_REALM_DIR,
  };
}
