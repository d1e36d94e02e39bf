import { type Guideline, limits, type Report } from '@stoa/contracts';
import { Prisma } from './generated/prisma/client.ts';

/** What a reason adds to the priority of a case: as much as reports from so many more networks. */
const severity: Partial<Record<Guideline, number>> = {
  minors: 5,
  violence: 2,
  hatred: 2,
  private_information: 2,
  fraud: 2,
  unlawful: 2,
  payment_link: 2,
};
const mostSources = 1000;

/** What is known of a report's network: pages that it reported within a day, and its reports of this one. */
export interface KnownSource {
  readonly pages: number;
  readonly ofCase: number;
}

/** What a network has reported within a day. Its reports come one after the other: side by side none would count the others. */
export async function findSource(
  tx: Prisma.TransactionClient,
  source: string,
  caseId: string | undefined,
): Promise<KnownSource> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${source}, 7))`;
  const [known] = await tx.$queryRaw<[KnownSource]>`
    SELECT count(*)::int AS pages,
           coalesce(max(reports) FILTER (WHERE case_id = ${caseId ?? null}::uuid), 0)::int AS "ofCase"
      FROM report_source WHERE source = ${source} AND at > now() - interval '1 day'`;
  return known;
}

/** Notes the network of a report, and raises the priority of its case by it and by its reason. */
export async function noteSource(
  tx: Prisma.TransactionClient,
  caseId: string,
  { source, reason }: Pick<Report, 'source' | 'reason'>,
): Promise<void> {
  if (source !== undefined)
    await tx.$executeRaw`
      INSERT INTO report_source AS known (case_id, source) VALUES (${caseId}::uuid, ${source})
      ON CONFLICT (case_id, source) DO UPDATE SET reports = known.reports + 1`;
  // As of now: a network that is forgotten after a day takes nothing away.
  await tx.$executeRaw`
    UPDATE review_case SET priority = greatest(priority, ${severity[reason] ?? 0}::int
      + least(${mostSources}::int, (SELECT count(*) FROM report_source WHERE case_id = ${caseId}::uuid)::int))
     WHERE id = ${caseId}::uuid`;
}

/** The version of a page as this service knows it: of the profile, or of an offering as its links were listed last. */
export async function versionOf(
  tx: Prisma.TransactionClient,
  { creatorId, offeringId }: { creatorId: string; offeringId: string | null },
): Promise<number | null> {
  if (offeringId === null)
    return (await tx.creator.findUnique({ where: { uid: creatorId } }))?.version ?? null;
  return (await tx.offeringTitle.findUnique({ where: { offeringId } }))?.version ?? null;
}

/**
 * The case in which just this was dismissed a while ago: the same reason, of the page as it still is. Null once enough networks
 * have reported it that did not before.
 */
export async function findDismissed(
  tx: Prisma.TransactionClient,
  page: { creatorId: string; offeringId: string | null },
  reason: Guideline,
): Promise<string | null> {
  const [dismissed] = await tx.$queryRaw<{ id: string; pageVersion: number | null; newNetworks: number }[]>`
    SELECT c.id, page_version AS "pageVersion",
           (SELECT count(*)::int FROM report_source AS later
             WHERE later.case_id = c.id AND later.at > decision.at) AS "newNetworks"
      FROM review_case AS c JOIN review_step AS decision ON decision.case_id = c.id AND decision.kind = 'dismissed'
     WHERE creator_id = ${page.creatorId}::uuid AND offering_id IS NOT DISTINCT FROM ${page.offeringId}::uuid
       AND status = 'dismissed' AND decision.at > now() - make_interval(days => ${limits.dismissedDays}::int)
       AND EXISTS (SELECT FROM review_step AS said
                    WHERE said.case_id = c.id AND said.kind = 'reported' AND said.reason = ${reason})
     ORDER BY decision.at DESC LIMIT 1`;
  if (!dismissed || dismissed.newNetworks >= limits.reopeningNetworks) return null;
  const version = await versionOf(tx, page);
  return version === dismissed.pageVersion ? dismissed.id : null;
}

/** Forgets networks after a day, a part of them; answers whether there may be more. */
export const forgetSources = Prisma.sql`
  DELETE FROM report_source WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM report_source WHERE at < now() - interval '1 day' LIMIT 5000))`;
