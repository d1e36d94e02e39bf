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

/** The content of a profile's preview card (picture for link previews). */
export const profileCard = (creator: PublicCreator): PreviewCard => ({
  uid: creator.uid,
  username: creator.username,
  name: displayNameOf(creator),
  text: oneLine(creator.bio),
  palette: creator.palette,
  pictureId: creator.profileImage?.id ?? null,
});

/** The content of an offering's preview card. */
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

/** A hash of the card's content. It is part of the address, so that caches fetch a changed card. */
export const versionOf = (card: PreviewCard): string =>
  createHash('sha256').update(JSON.stringify(card)).digest('base64url').slice(0, 12);

/** The API address of the card of a profile, or of an offering with `slug`. The card need not be drawn yet. */
export function cardPath(card: PreviewCard, slug?: string): string {
  const profile = `/api/creators/${encodeURIComponent(card.username)}`;
  const shown = slug === undefined ? profile : `${profile}/offerings/${encodeURIComponent(slug)}`;
  return `${shown}/card.jpg?v=${versionOf(card)}`;
}
