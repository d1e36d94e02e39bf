import { Environment, reaches, serviceEnvironment } from '@stoa/platform';
import { z } from 'zod';

const ms = (fallback: number) => z.coerce.number().int().min(1).default(fallback);

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
    LINK_CHECK: z
      .stringbool()
      .default(true)
      .describe('Whether published links are looked at, and creators told of dead ones.'),
    LINK_CHECK_INTERVAL_MS: ms(86_400_000).describe('Time between two looks at a link.'),
    LINK_CHECK_CONFIRM_MS: ms(28_800_000).describe(
      'Time between two looks that count against a link; three of them in a row make it a dead one.',
    ),
    LINK_CHECK_HOST_PAUSE_MS: ms(5000).describe('Time between two links of one host.'),
    LINK_CHECK_POLL_MS: ms(5000).describe('Time between looks for links that are due.'),
    LINK_CHECK_TIMEOUT_MS: ms(12_000).describe(
      'Time in which each address on the way of a link has to answer.',
    ),
    LINK_CHECK_TELL_AFTER_MS: ms(3_600_000).describe(
      'Time in which dead links of one creator gather before they are mailed of them.',
    ),
    LINK_CHECK_CANARIES: z
      .string()
      .default('https://www.iana.org/,https://www.wikipedia.org/')
      .describe(
        'Pages that are always there, comma-separated: while none of them answers, no link is held to be dead.',
      )
      .meta(reaches('internet')),
    LINK_CHECK_OFFLINE_PAUSE_MS: ms(600_000).describe(
      'Time for which no link is looked at once it seems that there is no way out.',
    ),
    LINK_CHECK_TEST_HOSTS: z
      .string()
      .default('')
      .describe(
        'For tests only, in place of DNS: where names lead, as `name=127.0.0.1:8000`, in spite of what may be reached; no other name is looked at.',
      ),
  }),
) {}
