import {
  type Caller,
  creators,
  Id,
  offerings,
  ReviewCase,
  ReviewCaseList,
  ReviewDecision,
  ReviewQuery,
} from '@stoa/contracts';
import { Bus } from '@stoa/messaging';
import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { OperatorRoute } from './openapi.decorator.ts';

@Controller('api/review/cases')
export class ReviewsController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @OperatorRoute(ReviewCaseList, {
    summary: 'Lists reported pages',
    description:
      'Cases that wait for a decision, hidden pages or closed cases, each with all reports and decisions. Paginated: `nextCursor` of one response is `cursor` of the next request.',
  })
  async list(@Query({ schema: ReviewQuery }) query: ReviewQuery, @CurrentCaller() caller: Caller) {
    const { items, ...list } = await this.bus.ask(creators.listCases, query, { caller });
    return { items: await this.#withContent(items, caller), ...list };
  }

  @Post(':id/decisions')
  @OperatorRoute(ReviewCase, {
    summary: 'Decides about a reported page',
    description:
      'A hidden page is visible only to its owner, with the reason. Requires a log-in of the last ten minutes (403 `fresh_login_required` otherwise). Refused with 409 when another operator has decided since.',
    problems: [404, 409],
  })
  async decide(
    @Param('id', { schema: Id.describe('The id of the case.') }) id: string,
    @Body({ schema: ReviewDecision }) decision: ReviewDecision,
    @CurrentCaller() caller: Caller,
  ) {
    const decided = await this.bus.ask(creators.decide, { id, ...decision }, { caller });
    const [whole = decided] = await this.#withContent([decided], caller);
    return whole;
  }

  /** Adds the content of reported offerings. If the offerings service is down, operators still get the list. */
  async #withContent(cases: readonly ReviewCase[], caller: Caller): Promise<ReviewCase[]> {
    const ids = [...new Set(cases.flatMap(({ offering }) => offering?.id ?? []))];
    const reading = ids.length > 0 && this.bus.ask(offerings.listForReview, { ids }, { caller });
    const { items } = (await Promise.resolve(reading).catch(() => false as const)) || { items: [] };
    const contents = new Map(items.map(({ id, ...content }) => [id, content]));
    return cases.map((one) =>
      one.offering ? { ...one, content: contents.get(one.offering.id) ?? null } : one,
    );
  }
}
