import type { PaymentLink, UndoneLinkChangeFacts } from '@stoa/contracts';
import { readableOwnLinks, readablePaygates } from '../rows/readable-row.ts';

/** The links of a profile, before or after a change. */
export interface LinkedProfile {
  readonly published: boolean;
  readonly paygates: unknown;
  readonly links: unknown;
}

/** A link on a public profile, with the name of its form field. */
export interface ShownLink {
  readonly link: PaymentLink;
  readonly field: string;
}

/** The links of a published profile through which visitors may pay; empty for an unpublished profile. */
export function shownLinks({ published, paygates, links }: LinkedProfile): ShownLink[] {
  if (!published) return [];
  return [
    ...readablePaygates(paygates).map(({ name, url }, place) => ({
      link: { name, url },
      field: `paygates.${place}.url`,
    })),
    ...readableOwnLinks(links).map(({ label, url }, place) => ({
      link: { name: label, url, place: 'own' as const },
      field: `links.${place}.url`,
    })),
  ];
}

export const urlsOf = (links: readonly ShownLink[]) => links.map(({ link }) => link.url);

/** The columns to write when the owner undoes a change of links. */
export function restoredColumns({ links, namesOwnLinks }: UndoneLinkChangeFacts) {
  const paygates = links.filter(({ place }) => !place).map(({ name, url }) => ({ name, url }));
  const own = links.filter(({ place }) => place === 'own').map(({ name, url }) => ({ label: name, url }));
  return namesOwnLinks ? { paygates, links: own } : { paygates };
}
