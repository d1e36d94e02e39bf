import { type DeadLinkFacts, type LinkFinding, type LinkKind, paths } from '@stoa/contracts';
import { greetingOf, layOutMail } from '@stoa/platform';
import type { DueDeadLinkMail } from './dead-link-mails.repository.ts';
import { footer, type Mail } from '../mails/mailer.client.ts';

type DeadLinkItem = DeadLinkFacts['links'][number];

const seen: Record<LinkFinding, string> = {
  not_found: 'The page was not found.',
  gone: 'The page is gone.',
  no_such_host: 'There is no such address any more.',
  refused: 'The server takes no connections.',
  timeout: 'The server does not answer.',
  certificate_expired: 'The certificate of the site has expired, and browsers warn of it.',
  other: 'It did not open.',
};

const places: Record<LinkKind, string> = {
  payment: 'the payment link',
  support: 'the support link',
  social: 'the link to',
  link: 'the link',
};

export function composeDeadLinkMail(
  { links, address, displayName }: Pick<DueDeadLinkMail, 'links' | 'address' | 'displayName'>,
  { addressOf }: { addressOf: (path: string) => string },
): Mail {
  const one = links.length === 1;
  return {
    to: address,
    ...layOutMail({
      subject: one ? 'A link on your Stoa page no longer works' : 'Links on your Stoa pages no longer work',
      parts: [
        greetingOf(displayName),
        `we look at the links on your pages once a day. ${one ? 'One of them has' : 'These have'} failed several times in a row, hours apart:`,
        ...links.map((link) => describe(link, addressOf)),
        `Visitors who follow ${one ? 'it' : 'them'} get nowhere. We have changed and hidden nothing. Once it works again you need do nothing more; where each link stands now is on your dashboard:`,
        { action: 'Open the dashboard', url: addressOf(paths.dashboard) },
      ],
      footer,
    }),
  };
}

function describe(
  { kind, label, url, offeringId, title, finding }: DeadLinkItem,
  addressOf: (path: string) => string,
): string {
  const where = offeringId ? `On the offering “${title}”` : 'On your profile';
  const name = kind === 'payment' ? '' : kind === 'social' ? ` ${label}` : ` “${label}”`;
  const editor = offeringId ? paths.editOffering(offeringId) : paths.editProfile;
  return `${where}, ${places[kind]}${name}:
  ${url}
  ${seen[finding]}
  Change it: ${addressOf(editor)}`;
}
