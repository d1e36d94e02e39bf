import { creators, type Input } from '@stoa/contracts';
import { type Call, Handles } from '@stoa/messaging';
import { Controller } from '@nestjs/common';
import { ReviewsService } from './reviews.service.ts';

@Controller()
export class ReviewsController {
  constructor(private readonly service: ReviewsService) {}

  @Handles(creators.report)
  report(report: Input<typeof creators.report>) {
    return this.service.report(report);
  }

  @Handles(creators.listCases)
  listCases(query: Input<typeof creators.listCases>, call: Call) {
    return this.service.listCases(query, call.caller);
  }

  @Handles(creators.decide)
  decide(decision: Input<typeof creators.decide>, call: Call) {
    return this.service.decide(decision, call);
  }

  @Handles(creators.listTakedowns)
  listTakedowns(_: Input<typeof creators.listTakedowns>, call: Call) {
    return this.service.listTakedowns(call.caller);
  }

  @Handles(creators.listRecords)
  listRecords(query: Input<typeof creators.listRecords>, call: Call) {
    return this.service.listRecords(query, call.caller);
  }

  @Handles(creators.appeal)
  appeal(appeal: Input<typeof creators.appeal>, call: Call) {
    return this.service.appeal(appeal, call);
  }
}
