import {
  displayNameOf,
  offeringTypeLabel,
  type PreviewCard,
  type PublicCreator,
  type PublicOffering,
  untypedOffering,
} from '@stoa/contracts';
import { createHash } from 'node:crypto';
import { oneLine } from './one-line.ts';

/** What the card of a profile shows. */
export const profileCard = (creator: PublicCreator): PreviewCard => ({
  uid: creator.uid,
  username: creator.username,
  name: displayNameOf(creator),
  text: oneLine(creator.bio),
  palette: creator.palette,
  pictureId: creator.profileImage?.id ?? null,
});

/** What the card of an offering shows. */
export const offeringCard = (creator: PublicCreator, offering: PublicOffering): PreviewCard => ({
  ...profileCard(creator),
  text: '',
  pictureId: offering.coverImage?.id ?? null,
  offering: {
    id: offering.id,
    title: offering.title,
    type: offeringTypeLabel(offering.type) || untypedOffering,
    price: offering.price,
  },
});

/** Another one for another card: who keeps pictures by their address asks for the new one. */
export const versionOf = (card: PreviewCard): string =>
  createHash('sha256').update(JSON.stringify(card)).digest('base64url').slice(0, 12);

/** Where the card of a profile, or of the offering of that slug, is asked for. Computed: nobody waits for a drawing. */
export function cardPath(card: PreviewCard, slug?: string): string {
  const profile = `/api/creators/${encodeURIComponent(card.username)}`;
  const shown = slug === undefined ? profile : `${profile}/offerings/${encodeURIComponent(slug)}`;
  return `${shown}/card.jpg?v=${versionOf(card)}`;
}
