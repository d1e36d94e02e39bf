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
    KEYCLOAK_INTERNAL_URL: z.url().describe('Internal address of Keycloak.').meta(reaches('keycloak')),
    KEYCLOAK_REALM: z.string().min(1).describe('The only realm that the proxy exposes.'),
    S3_PUBLIC_ENDPOINT: z
      .url()
      .describe('Public address of the object store, as browsers reach it.')
      .meta(reaches('nothing')),
    S3_ENDPOINT: z.url().describe('Internal address of the object store.').meta(reaches('s3')),
    S3_STAGING_BUCKET: z.string().min(1).describe('Bucket of uploads that are not checked yet.'),
    S3_PUBLIC_BUCKET: z.string().min(1).describe('Public bucket of pictures.'),
    S3_FILES_BUCKET: z.string().min(1).describe('Private bucket of files, read with signed links.'),
    ...proxiesEnvironment.shape,
    ...certificateEnvironment.shape,
    DEVICE_KEY: z
      .string()
      .min(16)
      .describe('Key of the device cookies and of the digests in rate limits and logs.'),
    REQUEST_LIMIT_PER_MINUTE: count(1200).describe('Requests to Keycloak per minute and network address.'),
    TOKEN_LIMIT_PER_MINUTE: count(120).describe('Token requests per minute and network address.'),
    LOG_IN_LIMIT_PER_HOUR: count(200).describe('Log-in attempts per hour and network address.'),
    REGISTRATION_LIMIT_PER_HOUR: count(60).describe('Sign-up attempts per hour and network address.'),
    RESET_LIMIT_PER_HOUR: count(30).describe(
      'Requests for a password reset or a new email address, per hour and network address.',
    ),
    RESET_MAILS_PER_HOUR: count(3).describe(
      'Mails for a reset or a new address per hour and recipient, for each unknown network and for all known browsers.',
    ),
    MAILS_PER_RECIPIENT_AND_HOUR: count(12).describe(
      'The same mails per hour and recipient, for all unknown browsers together.',
    ),
    MAILS_PER_RECIPIENT_AND_DAY: count(24).describe(
      'The same mails per day, for all spellings of one mailbox together.',
    ),
    ACCOUNT_TRIES: count(10).describe(
      'Log-in attempts for one account before a wait, for all unknown browsers and for each known one.',
    ),
    ACCOUNT_TRIES_MINUTES: count(15).describe('Minutes until all attempts are available again.'),
    ACCOUNT_TRIES_PER_DAY: count(30).describe(
      'Wrong passwords per day and account, for unknown and for known browsers.',
    ),
    CODE_TRIES_PER_DAY: count(5).describe(
      'Wrong second-factor codes per day and account, for unknown and for known browsers.',
    ),
    ANSWER_STEP_MS: count(500).describe(
      'Responses to log-ins and resets take a multiple of this, whether the account exists or not.',
    ),
  }),
) {}
