import { z } from 'zod';
import { contract, event, request } from './contract.ts';
import { Id, Link, Nothing, requiredLine, text, Timestamp, Uid, Version } from './fields.ts';
import { limits } from './limits.ts';
import { Picture } from './pictures.ts';

export const OfferingType = z
  .enum(['PDF / Digital Download', 'eBook', 'Workshop', 'Consultation', 'Course', 'Other'])
  .meta({ id: 'OfferingType' });
export type OfferingType = z.infer<typeof OfferingType>;

/** An offering as visitors see it. */
export const PublicOffering = z
  .object({
    id: Id,
    creatorId: Uid,
    title: z.string(),
    description: z.string(),
    price: z.string(),
    type: OfferingType,
    paymentUrl: z.string(),
    coverImage: Picture.nullable(),
    createdAt: Timestamp,
  })
  .meta({ id: 'PublicOffering' });
export type PublicOffering = z.infer<typeof PublicOffering>;

/** An offering as its owner sees it. `productUrl` is for their own reference. */
export const Offering = PublicOffering.extend({
  productUrl: z.string().nullable(),
  updatedAt: Timestamp,
  version: Version,
}).meta({ id: 'Offering' });
export type Offering = z.infer<typeof Offering>;

const offeringFields = z.object({
  title: requiredLine(limits.titleLength),
  description: text(limits.descriptionLength),
  price: requiredLine(limits.priceLength),
  type: OfferingType,
  paymentUrl: Link,
  productUrl: Link.nullish(),
});

/** The form of a new offering; `coverImageId` names a completed upload. */
export const NewOfferingForm = offeringFields
  .extend({ coverImageId: z.uuid('Please select a cover image.') })
  .meta({ id: 'NewOfferingForm' });
export type NewOfferingForm = z.infer<typeof NewOfferingForm>;

/** The form of an edit; without `coverImageId` the cover stays. */
export const OfferingForm = offeringFields
  .extend({ coverImageId: Id.optional() })
  .meta({ id: 'OfferingForm' });
export type OfferingForm = z.infer<typeof OfferingForm>;

export const NewOffering = offeringFields.extend({ coverImage: Picture });
export type NewOffering = z.infer<typeof NewOffering>;

export const OfferingChanges = offeringFields.extend({ id: Id, coverImage: Picture.optional() });
export type OfferingChanges = z.infer<typeof OfferingChanges>;

export const OfferingList = z.object({ items: z.array(Offering) }).meta({ id: 'OfferingList' });
export const PublicOfferingList = z
  .object({ items: z.array(PublicOffering) })
  .meta({ id: 'PublicOfferingList' });

/** What the download page shows. */
export const Download = z
  .object({ title: z.string(), type: OfferingType, mediaUrl: z.string().nullable() })
  .meta({ id: 'Download' });
export type Download = z.infer<typeof Download>;

export const OfferingFacts = z.object({
  id: Id,
  creatorId: Uid,
  coverImageId: Id.nullable(),
  version: Version,
});
export type OfferingFacts = z.infer<typeof OfferingFacts>;

export const offerings = contract('offerings', {
  create: request({ input: NewOffering, output: Offering }),
  update: request({ input: OfferingChanges, output: Offering }),
  remove: request({ input: z.object({ id: Id }), output: Nothing }),
  readOwn: request({ input: z.object({ id: Id }), output: Offering }),
  listOwn: request({ input: Nothing, output: OfferingList }),
  listPublic: request({ input: z.object({ creatorId: Uid }), output: PublicOfferingList }),
  download: request({ input: z.object({ creatorId: Uid, id: Id }), output: Download }),
  published: event(OfferingFacts),
  changed: event(OfferingFacts),
  removed: event(OfferingFacts),
});
