import { type Input, offerings } from '@stoa/contracts';
import { type Call, Handles } from '@stoa/messaging';
import { Controller } from '@nestjs/common';
import { OfferingsService } from './offerings.service.ts';

@Controller()
export class OfferingsController {
  constructor(private readonly service: OfferingsService) {}

  @Handles(offerings.create)
  create(input: Input<typeof offerings.create>, call: Call) {
    return this.service.create(input, call.caller);
  }

  @Handles(offerings.update)
  update(input: Input<typeof offerings.update>, call: Call) {
    return this.service.update(input, call);
  }

  @Handles(offerings.remove)
  remove({ id }: Input<typeof offerings.remove>, call: Call) {
    return this.service.remove(id, call);
  }

  @Handles(offerings.reorder)
  reorder(input: Input<typeof offerings.reorder>, call: Call) {
    return this.service.reorder(input, call);
  }

  @Handles(offerings.duplicate)
  duplicate({ id, duplicateId }: Input<typeof offerings.duplicate>, call: Call) {
    return this.service.duplicate(id, duplicateId, call.caller);
  }

  @Handles(offerings.readOwn)
  readOwn({ id }: Input<typeof offerings.readOwn>, call: Call) {
    return this.service.readOwn(id, call.caller);
  }

  @Handles(offerings.listOwn)
  listOwn(_: Input<typeof offerings.listOwn>, call: Call) {
    return this.service.listOf(call.caller.uid);
  }

  @Handles(offerings.listPublic)
  listPublic({ creatorId }: Input<typeof offerings.listPublic>) {
    return this.service.listPublic(creatorId);
  }

  @Handles(offerings.listPublicOfMany)
  listPublicOfMany({ creatorIds }: Input<typeof offerings.listPublicOfMany>) {
    return this.service.listPublicOfMany(creatorIds);
  }

  @Handles(offerings.listThumbnails)
  listThumbnails({ creatorIds }: Input<typeof offerings.listThumbnails>) {
    return this.service.listThumbnails(creatorIds);
  }

  @Handles(offerings.findPublic)
  findPublic({ creatorId, slug }: Input<typeof offerings.findPublic>) {
    return this.service.findPublic(creatorId, slug);
  }

  @Handles(offerings.listEntries)
  listEntries({ creatorIds }: Input<typeof offerings.listEntries>) {
    return this.service.listEntries(creatorIds);
  }

  @Handles(offerings.listForReview)
  listForReview({ ids }: Input<typeof offerings.listForReview>, call: Call) {
    return this.service.listForReview(ids, call.caller);
  }

  @Handles(offerings.download)
  download(input: Input<typeof offerings.download>, call: Call) {
    return this.service.download(input, call.callerIfAny);
  }

  @Handles(offerings.findSeller)
  findSeller({ creatorId, id }: Input<typeof offerings.findSeller>) {
    return this.service.findSeller(creatorId, id);
  }

  @Handles(offerings.rotateKey)
  rotateKey({ id }: Input<typeof offerings.rotateKey>, call: Call) {
    return this.service.rotateKey(id, call);
  }
}
