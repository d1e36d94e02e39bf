import { displayHost, limits, type PaymentLink } from '@stoa/contracts';
import { greetingOf, layOutMail, type MailPart } from '@stoa/platform';
import type { UnmailedLinkChange } from './link-changes.repository.ts';
import type { Mail } from '../mails/mailer.client.ts';

type Change = Omit<UnmailedLinkChange, 'id'>;

const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
const footer = 'Stoa, a home for creators. We never ask for your password by mail.';
const thenChange = 'Then change your password: whoever changed this was logged in to your account.';

/**
 * Composes the mail about changed payment links. Each undo link has its secret in the fragment (after `#`),
 * which browsers do not send to servers.
 */
export function composeLinkChangeMail(changes: readonly Change[], undoLinks: readonly string[]): Mail {
  const [first] = changes;
  if (!first) throw new Error('a link change mail needs a change');
  const { address: to } = first;
  const [link = ''] = undoLinks;
  return { to, ...(changes.length === 1 ? aboutOne(first, link) : aboutMany(changes, undoLinks, first)) };
}

function aboutOne(change: Change, link: string) {
  const { at, username, displayName, before } = change;
  const done = before.length > 0 ? 'changed' : 'added';
  return layOutMail({
    subject:
      before.length > 0
        ? 'Your Stoa payment link was changed'
        : 'A payment link was added to your Stoa account',
    parts: [
      greetingOf(displayName),
      `${nameOf(change)}, on the Stoa account ${username}, ${isOfOffering(change) ? 'was' : 'were'} ${done} on ${time.format(at)} UTC.`,
      ...beforeAndNow(change),
      'If it was you, there is nothing to do.',
      `If it was not you, open this link within ${limits.linkUndoDays} days and ${remedy(change)}:`,
      { action: before.length > 0 ? 'Put it back' : 'Take it off', url: link },
      thenChange,
    ],
    footer,
  });
}

function aboutMany(changes: readonly Change[], links: readonly string[], { username, displayName }: Change) {
  const parts = changes.flatMap((change, place): MailPart[] => [
    `${place + 1}. ${nameOf(change)}, on ${time.format(change.at)} UTC.`,
    ...beforeAndNow(change),
    { action: `Put number ${place + 1} back`, url: links[place] ?? '' },
  ]);
  return layOutMail({
    subject: `${changes.length} of your Stoa payment links were changed`,
    parts: [
      greetingOf(displayName),
      `${changes.length} links that your visitors pay through, on the Stoa account ${username}, were added or changed. For each that was not you, open the link below it within ${limits.linkUndoDays} days.`,
      ...parts,
      'If all of it was you, there is nothing to do. If not, change your password: whoever changed this was logged in to your account.',
    ],
    footer,
  });
}

const isOfOffering = ({ offeringId }: Change) => offeringId !== null;

function nameOf(change: Change): string {
  const [name] = change.after.map((changed) => changed.name);
  return isOfOffering(change) ? `the payment link of “${name}”` : 'the payment links of your profile';
}

const remedy = (change: Change) =>
  change.before.length > 0
    ? 'put back what was there before'
    : isOfOffering(change)
      ? 'take the offering off your profile'
      : 'take these links off your profile';

const beforeAndNow = ({ before, after }: Change) => [`Before:\n${listOf(before)}`, `Now:\n${listOf(after)}`];

function listOf(links: readonly PaymentLink[]): string {
  if (links.length === 0) return '- no link';
  return links.map(({ name, url }) => `- ${displayHost(url) ?? 'no link'} (${name}): ${url}`).join('\n');
}
