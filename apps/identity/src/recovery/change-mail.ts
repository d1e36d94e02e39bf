import { greetingOf, layOutMail } from '@stoa/platform';
import type { Mail } from '../mails/mailer.client.ts';
import { undoHours, type UnmailedChange } from './owner-changes.repository.ts';

const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/**
 * Composes the mail about a change. The undo link has its secret in the fragment (after `#`), which browsers
 * do not send to servers.
 */
export function composeChangeMail(
  { kind, at, address, username, displayName, later }: Omit<UnmailedChange, 'id'>,
  link: string,
): Mail {
  const what =
    kind === 'email'
      ? `the email of your Stoa account ${username} was changed from ${address} to another one`
      : `the password of your Stoa account ${username} was changed`;
  const last = later.at(-1);
  const when = last
    ? `${later.length + 1} times, from ${time.format(at)} to ${time.format(last.at)} UTC`
    : `on ${time.format(at)} UTC`;
  const [you, not, changes] = last
    ? ['all of it was you', 'not', 'these changes']
    : ['it was you', 'it was not you', 'the change'];
  return {
    to: address,
    ...layOutMail({
      subject:
        kind === 'email' ? 'The email of your Stoa account was changed' : 'Your Stoa password was changed',
      parts: [
        greetingOf(displayName),
        `${what} ${when}.`,
        `If ${you}, there is nothing to do.`,
        `If ${not}, open this link within ${undoHours} hours and take ${changes} back:`,
        { action: `Take ${changes} back`, url: link },
        'Your account then belongs to this address again, everybody is signed out, the password no longer works, and we mail you a link to choose a new one.',
      ],
      footer: 'Stoa, a home for creators. We never ask for your password by mail.',
    }),
  };
}
