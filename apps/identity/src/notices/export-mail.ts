import { greetingOf, layOutMail } from '@stoa/platform';
import type { DueExportMail } from './export-mails.repository.ts';
import { footer, type Mail } from '../mails/mailer.client.ts';

const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** Composes the mail about a finished export. Its link works only after a log-in to the account. */
export function composeExportMail({ address, displayName, expiresAt }: DueExportMail, link: string): Mail {
  const words = expiresAt
    ? {
        subject: 'Your Stoa export is ready',
        parts: [
          greetingOf(displayName),
          `the export of your Stoa account is ready, as was asked for. Log in and download it here until ${time.format(expiresAt)} UTC:`,
          { action: 'Download the export', url: link },
          'It holds your account, your profile, your offerings, the messages to you that we still keep, and your pictures and files. After that time we remove it.',
          'If you did not ask for it, somebody else may know your password: change it there.',
        ],
      }
    : {
        subject: 'Your Stoa export could not be made',
        parts: [
          greetingOf(displayName),
          'the export of your Stoa account could not be made, though we tried for an hour. Nothing of your account is lost. Please ask for it again here:',
          { action: 'Ask again', url: link },
        ],
      };
  return { to: address, ...layOutMail({ ...words, footer }) };
}
