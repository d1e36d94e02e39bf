import { greetingOf, layOutMail } from '@stoa/platform';
import type { UnmailedChange } from './identity.repository.ts';
import type { Mail } from './mailer.client.ts';
import { undoHours } from './owner-changes.repository.ts';

const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** What the owner of an account is told about a change. The token stands behind the #, which no server is sent. */
export function composeChangeMail(
  { kind, at, address, username, displayName }: Omit<UnmailedChange, 'id'>,
  link: string,
): Mail {
  const what =
    kind === 'email'
      ? `the email of your Stoa account ${username} was changed from ${address} to another one`
      : `the password of your Stoa account ${username} was changed`;
  return {
    to: address,
    ...layOutMail({
      subject:
        kind === 'email' ? 'The email of your Stoa account was changed' : 'Your Stoa password was changed',
      parts: [
        greetingOf(displayName),
        `${what} on ${time.format(at)} UTC.`,
        'If it was you, there is nothing to do.',
        `If it was not you, open this link within ${undoHours} hours and take the change back:`,
        { action: 'Take the change back', url: link },
        'Your account then belongs to this address again, everybody is signed out, the password no longer works, and we mail you a link to choose a new one.',
      ],
      footer: 'Stoa, a home for creators. We never ask for your password by mail.',
    }),
  };
}
