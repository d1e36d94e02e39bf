import { paths } from '@stoa/contracts';
import { greetingOf, layOutMail, type LeasedRow } from '@stoa/platform';
import type { DueLogInWarning } from './log-in-warnings.repository.ts';
import { footer, type Mail } from '../mails/mailer.client.ts';

const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

export function composeLogInWarning(
  { address, displayName, username, since, tries, codes }: Omit<DueLogInWarning, keyof LeasedRow>,
  { addressOf }: { addressOf: (path: string) => string },
): Mail {
  const knowsPassword = codes > 0;
  return {
    to: address,
    ...layOutMail({
      subject: knowsPassword ? 'Somebody may know your Stoa password' : 'Failed log-ins to your Stoa account',
      parts: [
        greetingOf(displayName),
        `since ${time.format(since)} UTC a log-in to your Stoa account ${username} has failed ${tries} times.`,
        knowsPassword
          ? `${codes} of them had a wrong code after the right password. If that was not you, somebody knows your password: change it now.`
          : 'The password was wrong each time. If that was not you, there is nothing you must do; a second factor keeps out whoever guesses it.',
        { action: 'Open your account', url: addressOf(paths.account) },
        'Further tries are slowed down, and your own browsers can still log in. We write about this at most twice a day.',
      ],
      footer,
    }),
  };
}
