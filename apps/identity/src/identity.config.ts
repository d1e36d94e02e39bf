import { Environment, reaches, serviceEnvironment } from '@stoa/platform';
import { z } from 'zod';

export class IdentityConfig extends Environment(
  serviceEnvironment.extend({
    KEYCLOAK_URL: z
      .url()
      .describe('Address of Keycloak as this service reaches it.')
      .meta(reaches('keycloak')),
    KEYCLOAK_REALM: z.string().min(1).describe('Realm of the accounts.'),
    KEYCLOAK_CLIENT_ID: z.string().min(1).describe('Client whose service account this service uses.'),
    KEYCLOAK_CLIENT_SECRET: z.string().min(1).describe('Secret of that client.'),
    SMTP_URL: z
      .string()
      .startsWith('smtp')
      .describe('Mail server, as smtp://user:password@host:port.')
      .meta(reaches('mail')),
    MAIL_FROM: z.string().min(1).describe('Sender of the mails to owners of accounts.'),
  }),
) {}
