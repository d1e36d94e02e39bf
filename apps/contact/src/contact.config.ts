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
    OPERATOR_EMAIL: z.string().min(1).describe('Recipient of the messages of the contact form.'),
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
      .describe('Pause before a failed mail is retried; it doubles with each failure.'),
    SWEEP_INTERVAL_MS: z.coerce
      .number()
      .int()
      .min(10)
      .default(60_000)
      .describe('Time between two deletions of expired data.'),
    LINK_CHECK: z
      .stringbool()
      .default(true)
      .describe('Whether published links are checked and creators are notified of dead ones.'),
    LINK_CHECK_INTERVAL_MS: ms(86_400_000).describe('Time between two checks of a link.'),
    LINK_CHECK_CONFIRM_MS: ms(28_800_000).describe(
      'Time between two failed checks that count; three in a row make a link dead.',
    ),
    LINK_CHECK_HOST_PAUSE_MS: ms(5000).describe('Pause between two checks of one host.'),
    LINK_CHECK_POLL_MS: ms(5000).describe('Shortest time between two rounds of link checks.'),
    LINK_CHECK_TIMEOUT_MS: ms(12_000).describe(
      'Time in which each address of a link, redirects included, must answer.',
    ),
    LINK_CHECK_TELL_AFTER_MS: ms(3_600_000).describe(
      'Time for which dead links of one creator are collected before they are mailed.',
    ),
    LINK_CHECK_CANARIES: z
      .string()
      .default('https://www.iana.org/,https://www.wikipedia.org/')
      .describe(
        'Reliable pages, comma-separated. While none of them answers, no failure counts against a link.',
      )
      .meta(reaches('internet')),
    LINK_CHECK_OFFLINE_PAUSE_MS: ms(600_000).describe(
      'Pause of all link checks when outgoing connections seem to fail.',
    ),
    LINK_CHECK_TEST_HOSTS: z
      .string()
      .default('')
      .describe(
        'For tests only: addresses that replace DNS, as `name=127.0.0.1:8000`, despite the guard. No other name is checked.',
      ),
  }),
) {}
