import { Environment, reaches, serviceEnvironment } from '@stoa/platform';
import { z } from 'zod';

export class ContactConfig extends Environment(
  serviceEnvironment.extend({
    SMTP_URL: z
      .string()
      .startsWith('smtp')
      .describe('Mail server, as smtp://user:password@host:port.')
      .meta(reaches('mail')),
    MAIL_FROM: z.string().min(1).describe('Sender of the mail to the operator and to creators.'),
    OPERATOR_EMAIL: z.string().min(1).describe('Where messages of the contact form go.'),
    SENDER_KEY: z
      .string()
      .min(16)
      .describe(
        "Key of the hash under which senders' network addresses are counted; the same in every replica.",
      ),
    MAIL_RETRY_MS: z.coerce
      .number()
      .int()
      .min(10)
      .default(15_000)
      .describe('Time between looks at unsent mail.'),
    SWEEP_INTERVAL_MS: z.coerce
      .number()
      .int()
      .min(10)
      .default(60_000)
      .describe('Time between looks at what has been kept long enough.'),
  }),
) {}
