import { Offering, PublicOffering } from '@stoa/contracts';

const at = '2026-11-21T12:00:00Z';
/** The fields that the contract requires: it adds those that have a default. */
const letters = {
  id: '4f9f4a56-8a5a-4a4e-9d5e-0f9f0c3f7a11',
  creatorId: '4f9f4a56-8a5a-4a4e-9d5e-0f9f0c3f7a11',
  title: 'Letters',
  description: '',
  price: 'R150',
  type: 'eBook',
  paymentUrl: 'https://pay.example.com/letters',
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
  deliveryKey: 'open-sesame-open-sesame',
  takenDown: false,
  updatedAt: at,
  version: 3,
});

/** A published offering as visitors see it, with neither description nor cover. */
export const makePublicOffering = (changes: Partial<PublicOffering> = {}): PublicOffering => ({
  ...shown,
  ...changes,
});

/** A published offering as its owner sees it, with nothing to deliver. */
export const makeOffering = (changes: Partial<Offering> = {}): Offering => ({ ...owned, ...changes });
