import { Offering, type OfferingFacts, PublicOffering } from '@stoa/contracts';
import { randomUUID } from 'node:crypto';

const at = '2026-01-01T00:00:00.000Z';
/** The required fields. The contract adds the defaults. */
const letters = {
  id: '0b7f1f0e-3c07-4c8d-8a53-6a2f5d8b9c22',
  creatorId: '4f9f4a56-8a5a-4a4e-9d5e-0f9f0c3f7a11',
  title: 'Letters',
  description: 'One a month.',
  price: 'R150',
  type: 'eBook',
  paymentUrl: 'https://pay.example.test/',
  state: 'published',
  slug: 'letters',
  createdAt: at,
  publishedAt: null,
  schedule: null,
  seats: null,
};
const shown = PublicOffering.parse(letters);
const owned = Offering.parse({
  ...letters,
  productUrl: null,
  files: [],
  deliveryText: '',
  deliveryUrl: null,
  deliveryKey: 'k'.repeat(43),
  takenDown: false,
  updatedAt: at,
  version: 1,
});

/** A published offering as visitors see it, with no cover. */
export const makePublicOffering = (changes: Partial<PublicOffering> = {}): PublicOffering => ({
  ...shown,
  ...changes,
});

/** A published offering as its owner sees it, with no cover and nothing to deliver. */
export const makeOffering = (changes: Partial<Offering> = {}): Offering => ({ ...owned, ...changes });

/** The facts of an event about an offering without a cover and files, with unchanged visibility. */
export const makeOfferingFacts = (changes: Partial<OfferingFacts> = {}): OfferingFacts => ({
  id: randomUUID(),
  creatorId: randomUUID(),
  coverImageId: null,
  fileIds: [],
  publicChange: 0,
  version: 1,
  ...changes,
});
