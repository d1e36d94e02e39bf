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
import { CreatorsConfig } from './creators.config.ts';
import { CreatorsRepository } from './creators.repository.ts';

/** When the first of them is forgotten. */
const daySeconds = 24 * 3600;

@Injectable()
export class ReviewsService {
  constructor(
    private readonly creators: CreatorsRepository,
    private readonly config: CreatorsConfig,
  ) {}

  /** A report of what nobody can see would say that it is there. */
  async report(report: Report): Promise<{ id: string }> {
    const creator = await this.creators.find({ uid: report.creatorId });
    if (!creator || !this.creators.isPublic(creator)) throw new Refusal('not_found', 'Creator not found.');
    if ((await this.creators.reviews.report(report)) === 'limited')
      throw rateLimited(
        'Many pages were reported from this network today. Please try again later.',
        daySeconds,
      );
    count(metrics.pagesReported);
    return { id: report.id };
  }

  async listCases(query: ReviewQuery, caller: Caller): Promise<ReviewCaseList> {
    refuseUnlessOperator(caller);
    return this.creators.reviews.list(query);
  }

  /** A session that was left open somewhere decides nothing: an operator logs in anew for it. */
  async decide(
    { id, ...decision }: Input<typeof creators.decide>,
    { caller, requestId }: Call,
  ): Promise<ReviewCase> {
    refuseUnlessOperator(caller);
    if (!hasFreshLogin(caller))
      throw new Refusal('fresh_login_required', 'Log in again first: a decision takes a fresh log-in.');
    if (decision.decision === 'hide' && !decision.reason)
      throw invalidInput([{ path: ['reason'], message: 'Say what it goes against.' }]);
    const decided = await this.creators.reviews.decide(id, decision, { actorUid: caller.uid, requestId });
    if (decided === 'other') throw new Refusal('forbidden', 'Another operator has to decide about this.');
    return settled(decided, 'Somebody has decided about this already.');
  }

  async listTakedowns({ uid }: Caller): Promise<TakedownList> {
    return { items: await this.creators.reviews.listTakedowns(uid) };
  }

  listRecords({ cursor }: Input<typeof creators.listRecords>, { uid }: Caller): Promise<ReviewRecordPage> {
    return this.creators.reviews.listRecords(uid, cursor);
  }

  /** Forgets what is over for longer than it is to be kept. */
  async forget(stopping: AbortSignal): Promise<void> {
    await this.creators.reserved.forget();
    while (!stopping.aborted && (await this.creators.reserved.announceSome()));
    while (!stopping.aborted && (await this.creators.reviews.forget(this.config.REVIEW_DAYS)));
    while (!stopping.aborted && (await this.creators.reviews.forgetSources()));
  }

  async appeal(
    { id, text }: Input<typeof creators.appeal>,
    { caller: { uid }, requestId }: Call,
  ): Promise<Takedown> {
    const appealed = await this.creators.reviews.appeal({ id, creatorId: uid }, text, requestId);
    return settled(appealed, 'You have appealed this already.');
  }
}

/** The gateway asks as well; where the data lives decides. */
function refuseUnlessOperator({ isOperator }: Caller): void {
  if (!isOperator) throw new Refusal('forbidden', 'This is for operators.');
}

function settled<T extends object>(result: T | null | 'past', past: string): T {
  if (result === null) throw new Refusal('not_found', 'There is no such case.');
  if (result === 'past') throw new Refusal('conflict', past);
  return result;
}
