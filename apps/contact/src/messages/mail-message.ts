import type { ContactMessage, Mailbox } from '@stoa/contracts';
import { greetingOf, layOutMail } from '@stoa/platform';

interface MailMessage {
  readonly to: string | { name: string; address: string };
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/**
 * Makes text of a user safe for a mail header. Mail programs decode text of the form `=?utf-8?b?…?=` in
 * headers (RFC 2047), so a sender could disguise words in it.
 */
export const headerText = (words: string): string => words.replaceAll('=?', '= ?');

/** Composes the mail. A `recipient` of type string is the operator's address, a mailbox is a creator's. */
export function composeMail(
  recipient: string | Mailbox,
  { name, email, subject, message }: ContactMessage,
  site: URL,
): MailMessage {
  if (typeof recipient === 'string') {
    const words = {
      subject: `[Contact] ${headerText(subject)}`,
      parts: [`${name} <${email}> wrote:`, { quote: message }],
    };
    return { to: recipient, ...layOutMail(words) };
  }
  const { displayName, username, email: address } = recipient;
  const profile = new URL(`/profile/${username}`, site).href;
  return {
    to: { name: headerText(displayName || username), address },
    ...layOutMail({
      subject: `[Stoa] ${headerText(subject)}`,
      parts: [
        greetingOf(displayName),
        `${name} <${email}> wrote to you through your profile on Stoa:`,
        { quote: message },
      ],
      footer: `To write back, answer this mail: it goes to ${email}.
Your own address was not shown to them. They will see the one that you answer from.
Your profile: ${profile}`,
    }),
  };
}
