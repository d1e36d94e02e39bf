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
import { randomUUID } from 'node:crypto';
import { decodeCasePosition, encodeCursor } from './cursor.ts';
import { changeCreator } from './creators.statements.ts';
import { Prisma, type PrismaClient, type ReviewStep as StepRow } from './generated/prisma/client.ts';
import {
  findDismissed,
  findSource,
  forgetSources,
  noteSource,
  versionOf,
} from './report-sources.repository.ts';
import { readableProfile } from './readable-row.ts';

const whole = {
  creator: true,
  steps: { orderBy: [{ at: 'asc' }, { id: 'asc' }] },
} as const satisfies Prisma.ReviewCaseInclude;
type WholeCase = Prisma.ReviewCaseGetPayload<{ include: typeof whole }>;

/** An order of cases, and what lies beyond the case where the page before ended; everything without one. */
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
const forgottenAtOnce = 100;

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

/** What is said of pages and decided about them, step by step. */
export class Reviews {
  constructor(private readonly prisma: PrismaClient) {}

  /**
   * Adds a report to the case of its page that is not over, or begins one; once for each id. It is counted alone where there are
   * enough of that page or of one network, and where just that was dismissed before. `limited` for a network that has reported
   * enough pages.
   */
  async report({ id, creatorId, offering, reason, text, source }: Report): Promise<'kept' | 'limited'> {
    return this.prisma.$transaction(async (tx) => {
      await lock(tx, creatorId);
      if (await tx.reviewStep.findUnique({ where: { id } })) return 'kept';
      const page = { creatorId, offeringId: offering?.id ?? null };
      const where = { ...page, status: { notIn: [...reviewQueues.closed] } };
      const running = await tx.reviewCase.findFirst({ where });
      const known = running?.id ?? (await findDismissed(tx, page, reason)) ?? undefined;
      const from = source === undefined ? { pages: 0, ofCase: 0 } : await findSource(tx, source, known);
      if (from.ofCase === 0 && from.pages >= limits.reportedPagesPerDay) return 'limited';
      const kept = running && { where: { caseId: running.id, kind: 'reported' } };
      const isFull = kept && (await tx.reviewStep.count(kept)) >= limits.reportsPerCase;
      if (known !== undefined && (!running || isFull || from.ofCase >= limits.reportsPerCaseAndNetwork)) {
        // Known for as long as anything is delivered again: its own row would be one for each report that anybody sends.
        if (!(await claimFirstDelivery(tx, `report ${id}`))) return 'kept';
        const furtherReports = { increment: 1 };
        await tx.reviewCase.update({ where: { id: known }, data: { furtherReports } });
        await noteSource(tx, known, { source, reason });
        return 'kept';
      }
      const caseId = running?.id ?? randomUUID();
      const named = { offeringSlug: offering?.slug ?? null, offeringTitle: offering?.title ?? null };
      if (!running) await tx.reviewCase.create({ data: { id: caseId, ...page, ...named } });
      await tx.reviewStep.create({ data: { id, caseId, kind: 'reported', reason, text } });
      await noteSource(tx, caseId, { source, reason });
      return 'kept';
    });
  }

  /** One page: of what waits the highest priority and then the oldest first, otherwise the latest first. */
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
   * Null where there is no such case, `past` where it is beyond this decision, `other` where another operator has to decide:
   * nobody judges their own page, or their own decision where it is appealed against.
   */
  async decide(
    id: string,
    { decision, reason = null, text }: { decision: Decision; reason?: Guideline | null; text: string },
    { actorUid, requestId }: { actorUid: string; requestId: string | undefined },
  ): Promise<ReviewCase | null | 'past' | 'other'> {
    const decided = await this.prisma.$transaction(async (tx) => {
      const row = await lockedCase(tx, id);
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
        const pageVersion = await versionOf(tx, row);
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

  /** What of a creator's is hidden now. */
  async listTakedowns(creatorId: string): Promise<Takedown[]> {
    const where = { creatorId, status: { in: hiddenStatuses } };
    const order = [{ openedAt: 'desc' }, { id: 'asc' }] as const;
    const rows = await this.prisma.reviewCase.findMany({ where, include: whole, orderBy: [...order] });
    return rows.flatMap((row) => takedownOf(row) ?? []);
  }

  /** What was decided about a creator's pages, the latest first: nothing of who reported, and nothing that is undecided. */
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
          const { id: _, actor: __, ...said } = toStep(step, new Map());
          return said;
        }),
    }));
    return { items, nextCursor };
  }

  /** How many cases wait for an operator, and for how many seconds the first of them has. */
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

  /** Forgets cases that were over before so many days, a part of them; answers whether there may be more. */
  async forget(days: number): Promise<boolean> {
    // What is over stays over: a later report begins another case.
    const removed = await this.prisma.$executeRaw`
      DELETE FROM review_case WHERE id = ANY (ARRAY(
        SELECT id FROM review_case AS c
         WHERE status IN (${Prisma.join([...reviewQueues.closed])})
           AND opened_at < now() - make_interval(days => ${days}::int)
           AND NOT EXISTS (SELECT FROM review_step
                            WHERE case_id = c.id AND at >= now() - make_interval(days => ${days}::int))
         LIMIT ${forgottenAtOnce}))`;
    return removed > 0;
  }

  /** Forgets the networks of reports after a day, a part of them; answers whether there may be more. */
  async forgetSources(): Promise<boolean> {
    return (await this.prisma.$executeRaw(forgetSources)) > 0;
  }

  /** Null where nothing of this creator's is hidden by that case, `past` where it was appealed before. */
  async appeal(
    { id, creatorId }: { id: string; creatorId: string },
    text: string,
    requestId: string | undefined,
  ): Promise<Takedown | null | 'past'> {
    return this.prisma.$transaction(async (tx) => {
      const row = await lockedCase(tx, id);
      if (row?.creatorId !== creatorId || !hiddenStatuses.includes(row.status)) return null;
      if (await isRequestDone(tx, requestId)) return takedownOf(row);
      if (row.steps.some(({ kind }) => kind === 'appealed')) return 'past';
      await recordRequest(tx, requestId);
      await addStep(tx, row, { kind: 'appealed', reason: null, text, actorUid: creatorId });
      const changed = await tx.reviewCase.findUniqueOrThrow({ where: { id }, include: whole });
      return takedownOf(changed);
    });
  }

  async #page(where: Prisma.ReviewCaseWhereInput, { orderBy }: Order) {
    const rows = await this.prisma.reviewCase.findMany({
      ...{ where, include: whole, orderBy: [...orderBy] },
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
    const row = await this.prisma.reviewCase.findUnique({ where: { id }, include: whole });
    const [found = null] = row ? await this.#toCases([row]) : [];
    return found;
  }

  async #toCases(rows: readonly WholeCase[]): Promise<ReviewCase[]> {
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

/** The case under the lock of its creator. */
async function lockedCase(tx: Prisma.TransactionClient, id: string): Promise<WholeCase | null> {
  const named = await tx.reviewCase.findUnique({ where: { id }, select: { creatorId: true } });
  if (named) await lock(tx, named.creatorId);
  return tx.reviewCase.findUnique({ where: { id }, include: whole });
}

type NewStep = Pick<StepRow, 'reason' | 'text' | 'actorUid'> & { kind: Exclude<ReviewStatus, 'open'> };

/** What is added to the trail is what the case is from then on. */
async function addStep(
  tx: Prisma.TransactionClient,
  { id, creatorId, offeringId }: WholeCase,
  step: NewStep,
) {
  await tx.reviewCase.update({ where: { id }, data: { status: step.kind } });
  // After the last one about the page, of a case before too, whatever the clocks of two replicas say: the latest counts.
  const { _max } = await tx.reviewStep.aggregate({
    where: { case: { creatorId, offeringId } },
    _max: { at: true },
  });
  const at = new Date(Math.max(Date.now(), (_max.at?.getTime() ?? 0) + 1));
  return tx.reviewStep.create({ data: { id: randomUUID(), caseId: id, at, ...step } });
}

/** Hides a profile from everybody but its owner, or shows it again. */
async function takeDown(tx: Prisma.TransactionClient, uid: string, takenDown: boolean): Promise<void> {
  const { id, subject, headers } = newEvent(creators.changed);
  const columns = JSON.stringify({ taken_down: takenDown });
  const values = [columns, null, uid, null, null, id, subject, headers, null, null, null, null];
  await tx.$queryRawUnsafe(changeCreator, ...values);
}

async function lock(tx: Prisma.TransactionClient, uid: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${uid}, 0))`;
}

function offeringOf({ offeringId, offeringSlug, offeringTitle }: WholeCase): ReviewedOffering | null {
  if (offeringId === null) return null;
  return { id: offeringId, slug: offeringSlug ?? offeringId, title: offeringTitle ?? '' };
}

const statusOf = ({ status }: Pick<WholeCase, 'status'>): ReviewStatus => ReviewStatus.parse(status);

function toStep({ id, at, kind, reason, text, actorUid }: StepRow, names: Map<string, string>): ReviewStep {
  const actor = (actorUid && names.get(actorUid)) ?? null;
  return {
    ...{ id, text, actor, kind: KnownStep.parse(kind), reason: KnownReason.parse(reason) },
    at: at.toISOString(),
  };
}

function profileOf(creator: WholeCase['creator']): ReviewCase['content'] {
  const { profileImage, paygates, socialLinks } = readableProfile(creator);
  const social = Object.values(socialLinks).filter((link) => link !== null);
  const links = [...paygates.map(({ url }) => url), ...social];
  return { title: creator.displayName, text: creator.bio, links, picture: profileImage };
}

function takedownOf(row: WholeCase): Takedown | null {
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
