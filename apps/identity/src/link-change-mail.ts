import { displayHost, limits, type PaymentLink } from '@stoa/contracts';
import { layOutMail } from '@stoa/platform';
import type { UnmailedLinkChange } from './link-changes.repository.ts';
import type { Mail } from './mailer.client.ts';

const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** What the owner of an account is told about links for payments. The token stands behind the #, which no server is sent. */
export function composeLinkChangeMail(
  { at, address, username, offeringId, before, after }: Omit<UnmailedLinkChange, 'id'>,
  link: string,
): Mail {
  const [name] = after.map((changed) => changed.name);
  const what = offeringId ? `the payment link of “${name}”` : 'the payment links of your profile';
  return {
    to: address,
    ...layOutMail({
      subject: 'Your Stoa payment link was changed',
      parts: [
        'Hello,',
        `${what}, on the Stoa account ${username}, ${offeringId ? 'was' : 'were'} changed on ${time.format(at)} UTC.`,
        `Before:\n${listOf(before)}`,
        `Now:\n${listOf(after)}`,
        'If it was you, there is nothing to do.',
        `If it was not you, open this link within ${limits.linkUndoDays} days and put back what was there before:`,
        { action: 'Put it back', url: link },
        'Then change your password: whoever changed this was logged in to your account.',
      ],
      footer: 'Stoa, a home for creators. We never ask for your password by mail.',
    }),
  };
}

function listOf(links: readonly PaymentLink[]): string {
  if (links.length === 0) return '- no link';
  return links.map(({ name, url }) => `- ${displayHost(url) ?? 'no link'} (${name}): ${url}`).join('\n');
}
