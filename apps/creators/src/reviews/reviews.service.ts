import {
  type Caller,
  type creators,
  hasFreshLogin,
  type Input,
  type Report,
  type ReviewCase,
  type ReviewCaseList,
  type ReviewQuery,
  type ReviewRecordPage,
  type Takedown,
  type TakedownList,
} from '@stoa/contracts';
import { type Call, invalidInput, rateLimited, Refusal } from '@stoa/messaging';
import { count, metrics } from '@stoa/telemetry';
import { Injectable } from '@nestjs/common';
import { CreatorsConfig } from '../creators.config.ts';
import { CreatorsRepository } from '../profiles/creators.repository.ts';
import { ReservedUsernames } from '../profiles/reserved-usernames.repository.ts';
import { Reviews } from './reviews.repository.ts';

/** A network that has reached the limit of reports must wait this long, because reports count for a day. */
const daySeconds = 24 * 3600;

@Injectable()
export class ReviewsService {
  constructor(
    private readonly reviews: Reviews,
    private readonly creators: CreatorsRepository,
    private readonly reserved: ReservedUsernames,
    private readonly config: CreatorsConfig,
  ) {}

  /** Refuses reports of pages that are not public, because any other answer would reveal that the page exists. */
  async report(report: Report): Promise<{ id: string }> {
    const creator = await this.creators.find({ uid: report.creatorId });
    if (!creator || !this.creators.isPublic(creator)) throw new Refusal('not_found', 'Creator not found.');
    if ((await this.reviews.report(report)) === 'limited')
      throw rateLimited(
        'Many pages were reported from this network today. Please try again later.',
        daySeconds,
      );
    count(metrics.pagesReported);
    return { id: report.id };
  }

  async listCases(query: ReviewQuery, caller: Caller): Promise<ReviewCaseList> {
    refuseUnlessOperator(caller);
    return this.reviews.list(query);
  }

  /** Requires a log-in within the last minutes, so that a stranger cannot decide in an open session. */
  async decide(
    { id, ...decision }: Input<typeof creators.decide>,
    { caller, requestId }: Call,
  ): Promise<ReviewCase> {
    refuseUnlessOperator(caller);
    if (!hasFreshLogin(caller))
      throw new Refusal('fresh_login_required', 'Log in again first: a decision takes a fresh log-in.');
    if (decision.decision === 'hide' && !decision.reason)
      throw invalidInput([{ path: ['reason'], message: 'Say what it goes against.' }]);
    const decided = await this.reviews.decide(id, decision, { actorUid: caller.uid, requestId });
    if (decided === 'other') throw new Refusal('forbidden', 'Another operator has to decide about this.');
    return settled(decided, 'Somebody has decided about this already.');
  }

  async listTakedowns({ uid }: Caller): Promise<TakedownList> {
    return { items: await this.reviews.listTakedowns(uid) };
  }

  listRecords({ cursor }: Input<typeof creators.listRecords>, { uid }: Caller): Promise<ReviewRecordPage> {
    return this.reviews.listRecords(uid, cursor);
  }

  /**
   * Deletes expired data and publishes due reservations again. An error in one step does not stop the others.
   * @throws the first error, after the last step
   */
  async deleteExpired(stopping: AbortSignal): Promise<void> {
    const steps = [
      async () => void (await this.reserved.deleteExpired()),
      () => this.reserved.announceBatch(),
      () => this.reviews.deleteClosed(this.config.REVIEW_DAYS),
      () => this.reviews.deleteExpiredSources(),
    ];
    const failed: unknown[] = [];
    for (const step of steps)
      try {
        while (!stopping.aborted && (await step()));
      } catch (error) {
        failed.push(error);
      }
    if (failed.length > 0) throw failed[0];
  }

  async appeal(
    { id, text }: Input<typeof creators.appeal>,
    { caller: { uid }, requestId }: Call,
  ): Promise<Takedown> {
    const appealed = await this.reviews.appeal({ id, creatorId: uid }, text, requestId);
    return settled(appealed, 'You have appealed this already.');
  }
}

/** Repeats the check of the gateway, because this service owns the data. */
function refuseUnlessOperator({ isOperator }: Caller): void {
  if (!isOperator) throw new Refusal('forbidden', 'This is for operators.');
}

function settled<T extends object>(result: T | null | 'past', past: string): T {
  if (result === null) throw new Refusal('not_found', 'There is no such case.');
  if (result === 'past') throw new Refusal('conflict', past);
  return result;
}
