import { z } from 'zod';

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
  /** Secret of the client `set-up` of the realm master. */
  setUpSecret: string;
  /** Secret of the temporary client `bootstrap` that Keycloak's first start made. */
  bootstrapSecret?: string | undefined;
  /** Password of the user `admin`, with whom installations began before there was `set-up`. */
  formerAdminPassword?: string | undefined;
  /** Public origin of the site; redirects, CORS and every link of the theme derive from it. */
  siteUrl: string;
  identitySecret: string;
  smtp: SmtpSettings;
  log?: (line: string) => void;
  /** How long to wait for Keycloak to answer. */
  timeoutMs?: number;
  /** Folder that holds realm.json, master.json and user-profile.json. */
  definitions?: string;
}

/** What the step that makes the realm reads of its environment. */
export const RealmEnvironment = z.object({
  KEYCLOAK_URL: z.string().describe('Address of Keycloak as the step reaches it.'),
  KEYCLOAK_SETUP_SECRET: z
    .string()
    .describe('Secret of the client `set-up` of the realm master, which the step works as.'),
  KEYCLOAK_BOOTSTRAP_SECRET: z
    .string()
    .optional()
    .describe("Secret of the temporary client of Keycloak's first start; counts until `set-up` is made."),
  KEYCLOAK_ADMIN_PASSWORD: z
    .string()
    .optional()
    .describe('Password of the user `admin` of an older installation; the step removes that user.'),
  KEYCLOAK_IDENTITY_SECRET: z.string().describe('Secret that the client `identity` is given.'),
  SITE_URL: z.string().describe('Public address of the site, for redirects and links in mails.'),
  SMTP_HOST: z.string().describe('Mail server of Keycloak.'),
  SMTP_PORT: z.coerce.number().int().positive().describe('Its port.'),
  MAIL_FROM: z.string().describe('Sender of the mails for sign-in.'),
  SMTP_USER: z.string().optional().describe('User at the mail server; with one, STARTTLS is asked for.'),
  SMTP_PASSWORD: z.string().optional().describe('Password of that user.'),
  KEYCLOAK_REALM_DIR: z
    .string()
    .optional()
    .describe('Folder of realm.json, master.json and user-profile.json, where it is not `deploy/keycloak`.'),
});

/**
 * The settings of the realm step; an empty variable counts as one that is not set.
 *
 * @throws Error that names every variable which is missing or cannot be read.
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
    formerAdminPassword: data.KEYCLOAK_ADMIN_PASSWORD,
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
