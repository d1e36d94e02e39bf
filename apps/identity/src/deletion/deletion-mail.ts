import { type ErasedCounts, erasedKinds } from '@stoa/contracts';
import { greetingOf, layOutMail } from '@stoa/platform';
import type { DueDeletion } from './account-deletions.repository.ts';
import { footer, type Mail } from '../mails/mailer.client.ts';

const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

const words: Record<(typeof erasedKinds)[number], readonly [one: string, many: string]> = {
  profiles: ['profile', 'profiles'],
  offerings: ['offering', 'offerings'],
  pictures: ['picture', 'pictures'],
  files: ['file', 'files'],
  sales: ['sale', 'sales'],
  messagesReceived: ['message to you', 'messages to you'],
  messagesSent: ['message by you', 'messages by you'],
};

export function composeDeletionMail(
  address: string,
  { displayName, requestedAt, erased }: Pick<DueDeletion, 'displayName' | 'requestedAt' | 'erased'>,
): Mail {
  const lines = erasedKinds.map((kind) => {
    const count = sumOf(Object.values(erased), kind);
    return `- ${count} ${words[kind][count === 1 ? 0 : 1]}`;
  });
  return {
    to: address,
    ...layOutMail({
      subject: 'Your Stoa account is deleted',
      parts: [
        greetingOf(displayName),
        `your Stoa account is deleted, as was asked for on ${time.format(requestedAt)} UTC. With it went:`,
        lines.join('\n'),
        'Nobody can log in to it any more, and its public page is gone. Messages that had been mailed before are in the mailboxes that they reached; those we cannot take back.',
        'We keep a number that stood for the account, so that nothing of it comes back, and these figures. Your address and your name are forgotten with this mail.',
      ],
      footer,
    }),
  };
}

const sumOf = (all: readonly ErasedCounts[], kind: (typeof erasedKinds)[number]) =>
  all.reduce((sum, counts) => sum + (counts[kind] ?? 0), 0);
