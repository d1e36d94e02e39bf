import {
  certificateEnvironment,
  Environment,
  processEnvironment,
  proxiesEnvironment,
  reaches,
} from '@stoa/platform';
import { z } from 'zod';

const port = z.coerce.number().int().min(0).max(65535);
const count = (preset: number) => z.coerce.number().int().min(1).default(preset);

export class EdgeConfig extends Environment(
  processEnvironment.extend({
    SIGN_IN_PORT: port.describe('Port of the proxy in front of Keycloak.'),
    MEDIA_PORT: port.describe('Port of the proxy in front of the object store.'),
    KEYCLOAK_URL: z
      .url()
      .describe('Public address of Keycloak, as browsers reach it.')
      .meta(reaches('nothing')),
    KEYCLOAK_INTERNAL_URL: z.url().describe('Where Keycloak is asked.').meta(reaches('keycloak')),
    KEYCLOAK_REALM: z.string().min(1).describe('The one realm that is let through.'),
    S3_PUBLIC_ENDPOINT: z
      .url()
      .describe('Public address of the object store, as browsers reach it.')
      .meta(reaches('nothing')),
    S3_ENDPOINT: z.url().describe('Where the object store is asked.').meta(reaches('s3')),
    S3_STAGING_BUCKET: z.string().min(1).describe('Bucket that takes posted forms.'),
    S3_PUBLIC_BUCKET: z.string().min(1).describe('Bucket that anybody may read.'),
    S3_FILES_BUCKET: z.string().min(1).describe('Bucket that is read with a signed link.'),
    ...proxiesEnvironment.shape,
    ...certificateEnvironment.shape,
    DEVICE_KEY: z
      .string()
      .min(16)
      .describe('Key of the cookies and digests by which tries at accounts are counted.'),
    REQUEST_LIMIT_PER_MINUTE: count(1200).describe('Requests to Keycloak a minute and address.'),
    TOKEN_LIMIT_PER_MINUTE: count(120).describe('Tokens asked for a minute and address.'),
    LOG_IN_LIMIT_PER_HOUR: count(200).describe('Tries to log in an hour and address.'),
    REGISTRATION_LIMIT_PER_HOUR: count(60).describe('Tries to sign up an hour and address.'),
    RESET_LIMIT_PER_HOUR: count(30).describe(
      'Resets and new e-mail addresses asked for an hour and network address.',
    ),
    RESET_MAILS_PER_HOUR: count(3).describe(
      'Mails for a reset or a new address an hour and recipient, of each address that asks and of all known browsers.',
    ),
    MAILS_PER_RECIPIENT_AND_HOUR: count(12).describe(
      'The same for one recipient, of all strangers together.',
    ),
    MAILS_PER_RECIPIENT_AND_DAY: count(24).describe(
      'The same within a day, for all spellings of one mailbox together.',
    ),
    ACCOUNT_TRIES: count(10).describe(
      'Tries to log in to one account before a wait, of strangers and of each own browser.',
    ),
    ACCOUNT_TRIES_MINUTES: count(15).describe('Minutes after which as many tries are had again.'),
    ACCOUNT_TRIES_PER_DAY: count(30).describe(
      'Wrong passwords a day and account, of strangers and of its own browsers.',
    ),
    CODE_TRIES_PER_DAY: count(5).describe(
      'Wrong codes of a second factor a day and account, of strangers and of its own browsers.',
    ),
    ANSWER_STEP_MS: count(500).describe(
      'Answers to log-ins and resets take a multiple of this, whoever is asked about.',
    ),
  }),
) {}
