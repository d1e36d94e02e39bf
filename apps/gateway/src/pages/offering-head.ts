import {
  documentTitle,
  pictureUrl,
  displayNameOf,
  zoneOrUtc,
  localTimeOf,
  paths,
  type PublicCreator,
  type PublicOffering,
  withoutFormat,
} from '@stoa/contracts';
import { oneLine } from '../reads/one-line.ts';
import type { PageHead } from './page-head.ts';
import { cardPath, offeringCard } from '../reads/preview-card.ts';

/** The creator of an offering, and the addresses that its metadata needs. */
export interface OfferingPlace {
  readonly creator: PublicCreator;
  readonly mediaUrl: string;
  /** Public address of the site, without a trailing slash. */
  readonly site: string;
}

export function offeringHead(offering: PublicOffering, { creator, mediaUrl, site }: OfferingPlace): PageHead {
  const { title, price, coverImage } = offering;
  const name = displayNameOf(creator);
  const path = paths.offering(creator.username, offering.slug);
  const image = coverImage && pictureUrl(mediaUrl, coverImage);
  const seller = { '@type': 'Person', name, url: `${site}${paths.profile(creator.username)}` };
  const description = oneLine(withoutFormat(offering.description)) || `${title} by ${name} on Stoa: ${price}`;
  return {
    title: documentTitle(`${title} by ${name}`),
    description,
    path,
    indexed: true,
    type: 'product',
    palette: creator.palette,
    card: {
      path: cardPath(offeringCard(creator, offering), offering.slug),
      alt: `${title} by ${name}: ${price}`,
    },
    facts: {
      ...kindOf(offering, seller),
      name: title,
      description,
      ...(image ? { image } : {}),
      offers: {
        '@type': 'Offer',
        url: `${site}${path}`,
        availability: `https://schema.org/${availabilityOf(offering)}`,
        ...amountOf(price),
        seller,
      },
    },
  };
}

/** The schema.org type. A workshop with a date is an event; it has no location, because offerings contain none. */
function kindOf({ schedule }: PublicOffering, organizer: object): object {
  if (!schedule) return { '@type': 'Product' };
  const { startsAt, endsAt, timeZone } = schedule;
  const [startDate, endDate] = [startsAt, endsAt].map((at) => at && offsetTimeOf(at, timeZone));
  return { '@type': 'Event', startDate, ...(endDate ? { endDate } : {}), organizer };
}

function availabilityOf({ state, schedule }: PublicOffering): string {
  if (schedule?.ended) return 'Discontinued';
  return state === 'sold_out' ? 'SoldOut' : 'InStock';
}

/** Formats a time with the offset of its time zone: `2026-12-03T18:00:00+02:00`. */
function offsetTimeOf(at: string, timeZone: string): string {
  const local = localTimeOf(at, zoneOrUtc(timeZone));
  const minutes = Math.round((Date.parse(`${local}:00Z`) - Date.parse(at)) / 60_000);
  const offset = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const digits = offset.map((part) => String(part).padStart(2, '0')).join(':');
  return `${local}:00${minutes < 0 ? '-' : '+'}${digits}`;
}

// `$` alone means US dollars. All other signs and codes are unambiguous.
const currencies: Readonly<Record<string, string>> = {
  ...{ R: 'ZAR', $: 'USD', US$: 'USD', '€': 'EUR', '£': 'GBP' },
  ...{ ZAR: 'ZAR', USD: 'USD', EUR: 'EUR', GBP: 'GBP' },
};
const sign = Object.keys(currencies)
  .toSorted((a, b) => b.length - a.length)
  .map((one) => one.replace('$', '\\$'))
  .join('|');
// Comma or space separates thousands, a point separates cents. An amount like '€1.500' is ambiguous and does not match.
const amount = String.raw`(\d{1,3}(?:[, \u00a0]\d{3})+|\d{1,7})(\.\d{2})?`;
const before = new RegExp(`^(${sign})\\s?${amount}$`);
const after = new RegExp(`^${amount}\\s?(${sign})$`);

/** Price and currency of an offering; empty unless the creator's text is exactly an amount. */
export function amountOf(words: string): { price?: string; priceCurrency?: string } {
  const [, code, units, cents = ''] = before.exec(words) ?? [];
  if (code !== undefined && units !== undefined) return priced(units, cents, code);
  const [, lastUnits, lastCents = '', lastCode] = after.exec(words) ?? [];
  return lastUnits === undefined || lastCode === undefined ? {} : priced(lastUnits, lastCents, lastCode);
}

const priced = (units: string, cents: string, code: string) => ({
  price: `${units.replace(/\D/g, '')}${cents}`,
  priceCurrency: currencies[code] ?? '',
});
