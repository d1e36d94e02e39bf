import { type NewOfferingForm, type ProfileForm, socialHosts, type SocialNetwork } from '@stoa/contracts';
import type { CreatorSeed, OfferingSeed } from './creators.ts';

// Sample data must not link to real people. Every address is below example.com, which is reserved, or the
// front page of a social network.

export function profileForm(
  seed: CreatorSeed,
  profileImageId: string | undefined,
  headerImageId?: string,
): ProfileForm {
  const { displayName, bio, niches, paygates, handles, palette, layout, links } = seed;
  const link = (network: SocialNetwork) =>
    handles[network] ? `https://www.${socialHosts[network][0]}/#${handles[network]}` : null;
  const socialLinks = { youtube: link('youtube'), tiktok: link('tiktok'), instagram: link('instagram') };
  return {
    ...{ displayName, bio, niches, paygates, socialLinks, palette, layout, links },
    ...{ contactBy: 'email', profileImageId, headerImageId },
  };
}

export function offeringForm(
  { username }: CreatorSeed,
  offering: OfferingSeed,
  coverImageId: string,
): NewOfferingForm {
  const { title, description, price, type, product, date, seats = null, deliveryText } = offering;
  return {
    title,
    description,
    price,
    type,
    paymentUrl: `https://pay.example.com/${username}/${slug(title)}`,
    productUrl: product ? `https://files.example.com/${username}/${product}` : null,
    coverImageId,
    deliveryText,
    schedule: date ? scheduleOf(date) : null,
    seats,
  };
}

const dayMs = 86_400_000;

function scheduleOf({ inDays, from, until, timeZone }: NonNullable<OfferingSeed['date']>) {
  const day = new Date(Date.now() + inDays * dayMs).toISOString().slice(0, 10);
  return { start: `${day}T${from}`, end: `${day}T${until}`, timeZone };
}

export function slug(title: string): string {
  const plain = title.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
}
