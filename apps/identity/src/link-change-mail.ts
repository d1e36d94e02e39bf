import { displayHost, limits, type PaymentLink } from '@stoa/contracts';
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
    subject: 'Your Stoa payment link was changed',
    text: `Hello,

${what}, on the Stoa account ${username}, ${offeringId ? 'was' : 'were'} changed on ${time.format(at)} UTC.

Before:
${listOf(before)}

Now:
${listOf(after)}

If it was you, there is nothing to do.

If it was not you, open this link within ${limits.linkUndoDays} days and put back what was there before:

${link}

Then change your password: whoever changed this was logged in to your account.

-- 
Stoa, a home for creators. We never ask for your password by mail.
`,
  };
}

function listOf(links: readonly PaymentLink[]): string {
  if (links.length === 0) return '- no link';
  return links.map(({ name, url }) => `- ${displayHost(url) ?? 'no link'} (${name}): ${url}`).join('\n');
}
