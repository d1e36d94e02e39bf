import type { PaymentLink, UndoneLinkChangeFacts } from '@stoa/contracts';
import { readableOwnLinks, readablePaygates } from './readable-row.ts';

/** As the database has it, or as it will. */
export interface LinkedProfile {
  readonly published: boolean;
  readonly paygates: unknown;
  readonly links: unknown;
}

/** A link that visitors of a profile follow, and the field of the form that it stands in. */
export interface ShownLink {
  readonly link: PaymentLink;
  readonly field: string;
}

/** The links of a published profile through which visitors pay or may be asked to; none of one that nobody sees. */
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

/** The columns of a profile whose links are put back. */
export function restoredColumns({ links, namesOwnLinks }: UndoneLinkChangeFacts) {
  const paygates = links.filter(({ place }) => !place).map(({ name, url }) => ({ name, url }));
  const own = links.filter(({ place }) => place === 'own').map(({ name, url }) => ({ label: name, url }));
  return namesOwnLinks ? { paygates, links: own } : { paygates };
}
