import {
  creators,
  Guideline,
  limits,
  type Report,
  type ReviewCase,
  type ReviewCaseList,
  type ReviewDecision,
  type ReviewedOffering,
  type ReviewQuery,
  reviewQueues,
  type ReviewRecordPage,
  ReviewStatus,
  ReviewStep,
  type Takedown,
} from '@stoa/contracts';
import { claimFirstDelivery, isRequestDone, newEvent, recordEvent, recordRequest } from '@stoa/messaging';
import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Database } from '../database.ts';
import { decodeCasePosition, encodeCursor } from '../directory/cursor.ts';
import { changeCreator } from '../rows/creators.statements.ts';
import { Prisma, type ReviewStep as StepRow } from '../generated/prisma/client.ts';
import { reviewedLinks } from './profile-fields.ts';
import {
  countSourceReports,
  deleteExpiredSources,
  findDismissed,
  pageVersionOf,
  recordSource,
} from './report-sources.repository.ts';
import { readableProfile } from '../rows/readable-row.ts';

const related = {
  creator: true,
  steps: { orderBy: [{ at: 'asc' }, { id: 'asc' }] },
} as const satisfies Prisma.ReviewCaseInclude;
type CaseRow = Prisma.ReviewCaseGetPayload<{ include: typeof related }>;

/** A sort order of cases. `after` gives the condition for the next page; without a cursor it matches all cases. */
interface Order {
  readonly orderBy: readonly Prisma.ReviewCaseOrderByWithRelationInput[];
  readonly after: (cursor: string | undefined) => Prisma.ReviewCaseWhereInput;
}
const latestFirst: Order = {
  orderBy: [{ openedAt: 'desc' }, { id: 'asc' }],
  after: (cursor) => {
    if (cursor === undefined) return {};
    const { openedAt, id } = decodeCasePosition(cursor);
    return { OR: [{ openedAt: { lt: openedAt } }, { openedAt, id: { gt: id } }] };
  },
};
const urgentFirst: Order = {
  orderBy: [{ priority: 'desc' }, { openedAt: 'asc' }, { id: 'asc' }],
  after: (cursor) => {
    if (cursor === undefined) return {};
    const { priority, openedAt, id } = decodeCasePosition(cursor);
    const later = { OR: [{ openedAt: { gt: openedAt } }, { openedAt, id: { gt: id } }] };
    return { OR: [{ priority: { lt: priority } }, { priority, ...later }] };
  },
};
const deleteBatch = 100;

type Decision = ReviewDecision['decision'];
type Decided = 'hidden' | 'dismissed' | 'upheld' | 'restored';
const decisions: Record<Decision, { from: readonly ReviewStatus[]; to: Decided }> = {
  hide: { from: ['open'], to: 'hidden' },
  dismiss: { from: ['open'], to: 'dismissed' },
  uphold: { from: ['appealed'], to: 'upheld' },
  restore: { from: ['hidden', 'appealed', 'upheld'], to: 'restored' },
};
const hiddenStatuses = ['hidden', 'appealed', 'upheld'];

const KnownStep = ReviewStep.shape.kind;
const KnownReason = Guideline.nullable().catch(null);

/** Stores reports of pages, and the decisions of operators. */
@Injectable()
export class Reviews {
  constructor(private readonly prisma: Database) {}

  /**
   * Adds a report to the open case of its page, or opens a case, once per report id. It only counts the report if the case or
   * network has too many, or an operator has dismissed the same. `limited`: the network has reported too many pages today.
   */
  async report({ id, creatorId, offering, reason, text, source }: Report): Promise<'kept' | 'limited'> {
    return this.prisma.$transaction(async (tx) => {
      await lock(tx, creatorId);
      if (await tx.reviewStep.findUnique({ where: { id } })) return 'kept';
      const page = { creatorId, offeringId: offering?.id ?? null };
      const where = { ...page, status: { notIn: [...reviewQueues.closed] } };
      const running = await tx.reviewCase.findFirst({ where });
      const known = running?.id ?? (await findDismissed(tx, page, reason)) ?? undefined;
      const from = await countSourceReports(tx, source, known);
      if (from.ofCase === 0 && from.pages >= limits.reportedPagesPerDay) return 'limited';
      const kept = running && { where: { caseId: running.id, kind: 'reported' } };
      const isFull = kept && (await tx.reviewStep.count(kept)) >= limits.reportsPerCase;
      if (known !== undefined && (!running || isFull || from.ofCase >= limits.reportsPerCaseAndNetwork)) {
        // The inbox recognises a repeated report. Storing a step for each counted report would have no limit.
        if (!(await claimFirstDelivery(tx, `report ${id}`))) return 'kept';
        const furtherReports = { increment: 1 };
        await tx.reviewCase.update({ where: { id: known }, data: { furtherReports } });
        await recordSource(tx, known, { source, reason });
        return 'kept';
      }
      const caseId = running?.id ?? randomUUID();
      const named = { offeringSlug: offering?.slug ?? null, offeringTitle: offering?.title ?? null };
      if (!running) await tx.reviewCase.create({ data: { id: caseId, ...page, ...named } });
      await tx.reviewStep.create({ data: { id, caseId, kind: 'reported', reason, text } });
      await recordSource(tx, caseId, { source, reason });
      return 'kept';
    });
  }

  /** Returns a page of cases. Waiting cases: by priority, then the oldest first. Other queues: the latest first. */
  async list({ queue, cursor }: ReviewQuery): Promise<ReviewCaseList> {
    const order = queue === 'waiting' ? urgentFirst : latestFirst;
    const where = { status: { in: [...reviewQueues[queue]] }, ...order.after(cursor) };
    const { page, nextCursor } = await this.#page(where, order);
    const counted = await this.prisma.reviewCase.groupBy({ by: ['status'], _count: true });
    const countOf = (statuses: readonly string[]) =>
      counted.reduce((sum, { status, _count }) => sum + (statuses.includes(status) ? _count : 0), 0);
    const { waiting, hidden, closed } = reviewQueues;
    const counts = { waiting: countOf(waiting), hidden: countOf(hidden), closed: countOf(closed) };
    return { items: await this.#toCases(page), nextCursor, counts };
  }

  /**
   * Null: no such case. `past`: the state of the case does not allow this decision. `other`: another operator must decide,
   * because operators may not judge their own pages, nor appeals against their own decisions.
   */
  async decide(
    id: string,
    { decision, reason = null, text }: { decision: Decision; reason?: Guideline | null; text: string },
    { actorUid, requestId }: { actorUid: string; requestId: string | undefined },
  ): Promise<ReviewCase | null | 'past' | 'other'> {
    const decided = await this.prisma.$transaction(async (tx) => {
      const row = await lockCase(tx, id);
      if (!row) return null;
      const { from, to } = decisions[decision];
      if (await isRequestDone(tx, requestId)) return to;
      if (!from.includes(statusOf(row))) return 'past';
      const hidBefore = row.steps.some((step) => step.kind === 'hidden' && step.actorUid === actorUid);
      if (row.creatorId === actorUid || (to === 'upheld' && hidBefore)) return 'other';
      await recordRequest(tx, requestId);
      const facts = { reason: to === 'hidden' ? reason : null, text };
      const step = await addStep(tx, row, { ...facts, kind: to, actorUid });
      if (to === 'dismissed') {
        const pageVersion = await pageVersionOf(tx, row);
        await tx.reviewCase.update({ where: { id }, data: { pageVersion } });
        return to;
      }
      const isShown = to === 'restored';
      if (row.offeringId === null && to !== 'upheld') await takeDown(tx, row.creatorId, !isShown);
      await recordEvent(tx, creators.reviewed, {
        ...{ id: step.id, uid: row.creatorId, offering: offeringOf(row), outcome: to, ...facts },
        at: step.at.toISOString(),
      });
      return to;
    });
    if (decided === null || decided === 'past' || decided === 'other') return decided;
    return this.#find(id);
  }

  async listTakedowns(creatorId: string): Promise<Takedown[]> {
    const where = { creatorId, status: { in: hiddenStatuses } };
    const order = [{ openedAt: 'desc' }, { id: 'asc' }] as const;
    const rows = await this.prisma.reviewCase.findMany({ where, include: related, orderBy: [...order] });
    return rows.flatMap((row) => takedownOf(row) ?? []);
  }

  /** The decisions about a creator's pages, latest first. They contain no reporters and no undecided cases. */
  async listRecords(creatorId: string, cursor?: string): Promise<ReviewRecordPage> {
    const where = { creatorId, status: { not: 'open' }, ...latestFirst.after(cursor) };
    const { page, nextCursor } = await this.#page(where, latestFirst);
    const items = page.map((row) => ({
      ...{
        id: row.id,
        offering: offeringOf(row),
        status: statusOf(row),
        openedAt: row.openedAt.toISOString(),
      },
      steps: row.steps
        .filter(({ kind }) => kind !== 'reported')
        .map((step) => {
          const { id: _, actor: __, ...visible } = toStep(step, new Map());
          return visible;
        }),
    }));
    return { items, nextCursor };
  }

  /** Number of cases that wait for an operator, and the longest wait in seconds. An appeal starts a new wait. */
  async waiting(): Promise<{ cases: number; ageSeconds: number }> {
    const [row] = await this.prisma.$queryRaw<[{ cases: number; ageSeconds: number }]>`
      SELECT count(*)::int AS cases,
             coalesce(extract(epoch FROM now() - min(CASE status WHEN 'appealed' THEN appealed_at ELSE opened_at END)), 0)::float8
               AS "ageSeconds"
        FROM review_case AS c LEFT JOIN LATERAL (
          SELECT max(at) AS appealed_at FROM review_step
           WHERE case_id = c.id AND kind = 'appealed' AND c.status = 'appealed') AS appeal ON true
       WHERE status IN (${Prisma.join([...reviewQueues.waiting])})`;
    return row;
  }

  /** Deletes a batch of cases that were closed more than `days` ago. Returns whether there may be more. */
  async deleteClosed(days: number): Promise<boolean> {
    // A closed case never becomes open again: a later report opens a new one.
    const removed = await this.prisma.$executeRaw`
      DELETE FROM review_case WHERE id = ANY (ARRAY(
        SELECT id FROM review_case AS c
         WHERE status IN (${Prisma.join([...reviewQueues.closed])})
           AND opened_at < now() - make_interval(days => ${days}::int)
           AND NOT EXISTS (SELECT FROM review_step
                            WHERE case_id = c.id AND at >= now() - make_interval(days => ${days}::int))
         LIMIT ${deleteBatch}))`;
    return removed > 0;
  }

  /** Deletes a batch of networks that reported more than a day ago. Returns whether there may be more. */
  async deleteExpiredSources(): Promise<boolean> {
    return (await this.prisma.$executeRaw(deleteExpiredSources)) > 0;
  }

  /** Null: the case hides no page of this creator. `past`: the creator has already appealed. */
  async appeal(
    { id, creatorId }: { id: string; creatorId: string },
    text: string,
    requestId: string | undefined,
  ): Promise<Takedown | null | 'past'> {
    return this.prisma.$transaction(async (tx) => {
      const row = await lockCase(tx, id);
      if (row?.creatorId !== creatorId || !hiddenStatuses.includes(row.status)) return null;
      if (await isRequestDone(tx, requestId)) return takedownOf(row);
      if (row.steps.some(({ kind }) => kind === 'appealed')) return 'past';
      await recordRequest(tx, requestId);
      await addStep(tx, row, { kind: 'appealed', reason: null, text, actorUid: creatorId });
      const changed = await tx.reviewCase.findUniqueOrThrow({ where: { id }, include: related });
      return takedownOf(changed);
    });
  }

  async #page(where: Prisma.ReviewCaseWhereInput, { orderBy }: Order) {
    const rows = await this.prisma.reviewCase.findMany({
      ...{ where, include: related, orderBy: [...orderBy] },
      take: limits.reviewCases + 1,
    });
    const page = rows.slice(0, limits.reviewCases);
    const last = rows.length > page.length ? page.at(-1) : undefined;
    const nextCursor = last
      ? encodeCursor({ priority: last.priority, openedAt: last.openedAt.toISOString(), id: last.id })
      : null;
    return { page, nextCursor };
  }

  async #find(id: string): Promise<ReviewCase | null> {
    const row = await this.prisma.reviewCase.findUnique({ where: { id }, include: related });
    const [found = null] = row ? await this.#toCases([row]) : [];
    return found;
  }

  async #toCases(rows: readonly CaseRow[]): Promise<ReviewCase[]> {
    const uids = rows.flatMap(({ steps }) => steps.flatMap(({ actorUid }) => actorUid ?? []));
    const where = { uid: { in: [...new Set(uids)] } };
    const people = await this.prisma.creator.findMany({ where, select: { uid: true, username: true } });
    const names = new Map(people.map(({ uid, username }) => [uid, username]));
    return rows.map((row) => ({
      ...{ id: row.id, creatorId: row.creatorId, status: statusOf(row), offering: offeringOf(row) },
      ...{ username: row.creator.username, displayName: row.creator.displayName },
      openedAt: row.openedAt.toISOString(),
      content: row.offeringId === null ? profileOf(row.creator) : null,
      reports: row.furtherReports + row.steps.filter(({ kind }) => kind === 'reported').length,
      steps: row.steps.map((step) => toStep(step, names)),
    }));
  }
}

/** Reads a case, after locking all cases of its creator. */
async function lockCase(tx: Prisma.TransactionClient, id: string): Promise<CaseRow | null> {
  const named = await tx.reviewCase.findUnique({ where: { id }, select: { creatorId: true } });
  if (named) await lock(tx, named.creatorId);
  return tx.reviewCase.findUnique({ where: { id }, include: related });
}

type NewStep = Pick<StepRow, 'reason' | 'text' | 'actorUid'> & { kind: Exclude<ReviewStatus, 'open'> };

/** Adds a step to the audit trail of a case. The kind of the step becomes the status of the case. */
async function addStep(tx: Prisma.TransactionClient, { id, creatorId, offeringId }: CaseRow, step: NewStep) {
  await tx.reviewCase.update({ where: { id }, data: { status: step.kind } });
  // Each step must be later than all earlier ones about the page, because services apply the latest decision and the clocks
  // of replicas differ.
  const { _max } = await tx.reviewStep.aggregate({
    where: { case: { creatorId, offeringId } },
    _max: { at: true },
  });
  const at = new Date(Math.max(Date.now(), (_max.at?.getTime() ?? 0) + 1));
  return tx.reviewStep.create({ data: { id: randomUUID(), caseId: id, at, ...step } });
}

/** Hides a profile from all visitors, or shows it again. */
async function takeDown(tx: Prisma.TransactionClient, uid: string, takenDown: boolean): Promise<void> {
  const { id, subject, headers } = newEvent(creators.changed);
  const columns = JSON.stringify({ taken_down: takenDown });
  const values = [columns, null, uid, null, null, id, subject, headers, null, null, null, null];
  await tx.$queryRawUnsafe(changeCreator, ...values);
}

async function lock(tx: Prisma.TransactionClient, uid: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${uid}, 0))`;
}

function offeringOf({ offeringId, offeringSlug, offeringTitle }: CaseRow): ReviewedOffering | null {
  if (offeringId === null) return null;
  return { id: offeringId, slug: offeringSlug ?? offeringId, title: offeringTitle ?? '' };
}

const statusOf = ({ status }: Pick<CaseRow, 'status'>): ReviewStatus => ReviewStatus.parse(status);

function toStep({ id, at, kind, reason, text, actorUid }: StepRow, names: Map<string, string>): ReviewStep {
  const actor = (actorUid && names.get(actorUid)) ?? null;
  return {
    ...{ id, text, actor, kind: KnownStep.parse(kind), reason: KnownReason.parse(reason) },
    at: at.toISOString(),
  };
}

function profileOf(creator: CaseRow['creator']): ReviewCase['content'] {
  const { profileImage: picture, headerImage: header, ...profile } = readableProfile(creator);
  return { title: creator.displayName, text: creator.bio, links: reviewedLinks(profile), picture, header };
}

function takedownOf(row: CaseRow): Takedown | null {
  const hidden = row.steps.find(({ kind }) => kind === 'hidden');
  const reason = KnownReason.parse(hidden?.reason);
  const status = statusOf(row);
  if (!hidden || !reason || (status !== 'hidden' && status !== 'appealed' && status !== 'upheld'))
    return null;
  return {
    ...{ id: row.id, offering: offeringOf(row), status, reason, text: hidden.text },
    hiddenAt: hidden.at.toISOString(),
    answer: row.steps.find(({ kind }) => kind === 'upheld')?.text ?? '',
  };
}
