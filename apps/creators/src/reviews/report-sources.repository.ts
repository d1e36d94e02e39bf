import { type Guideline, limits, type Report } from '@stoa/contracts';
import { Prisma } from '../generated/prisma/client.ts';

/** How much a reason raises the priority of a case. The unit is one reporting network. */
const severity: Partial<Record<Guideline, number>> = {
  minors: 5,
  violence: 2,
  hatred: 2,
  private_information: 2,
  fraud: 2,
  unlawful: 2,
  payment_link: 2,
};
const maxSources = 1000;

/** What one network has reported within the last day. */
export interface SourceReports {
  readonly pages: number;
  readonly ofCase: number;
}

/** Counts the reports of a network. The lock makes concurrent reports wait, so that each counts all others. */
export async function countSourceReports(
  tx: Prisma.TransactionClient,
  source: string,
  caseId: string | undefined,
): Promise<SourceReports> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${source}, 7))`;
  const [known] = await tx.$queryRaw<[SourceReports]>`
    SELECT count(*)::int AS pages,
           coalesce(max(reports) FILTER (WHERE case_id = ${caseId ?? null}::uuid), 0)::int AS "ofCase"
      FROM report_source WHERE source = ${source} AND at > now() - interval '1 day'`;
  return known;
}

/** Stores which network has reported a case, and raises the priority of the case. */
export async function recordSource(
  tx: Prisma.TransactionClient,
  caseId: string,
  { source, reason }: Pick<Report, 'source' | 'reason'>,
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO report_source AS known (case_id, source) VALUES (${caseId}::uuid, ${source})
    ON CONFLICT (case_id, source) DO UPDATE SET reports = known.reports + 1`;
  // `greatest` keeps the highest priority, although the rows of networks are deleted after a day.
  await tx.$executeRaw`
    UPDATE review_case SET priority = greatest(priority, ${severity[reason] ?? 0}::int
      + least(${maxSources}::int, (SELECT count(*) FROM report_source WHERE case_id = ${caseId}::uuid)::int))
     WHERE id = ${caseId}::uuid`;
}

/** Version of the profile, or of the offering in its last event; null if it is unknown. */
export async function pageVersionOf(
  tx: Prisma.TransactionClient,
  { creatorId, offeringId }: { creatorId: string; offeringId: string | null },
): Promise<number | null> {
  if (offeringId === null)
    return (await tx.creator.findUnique({ where: { uid: creatorId } }))?.version ?? null;
  return (await tx.offeringTitle.findUnique({ where: { offeringId } }))?.version ?? null;
}

/**
 * The case in which an operator has dismissed the same reason for the same version of the page. Null if that was more than
 * `limits.dismissedDays` ago, or if `limits.reopeningNetworks` networks have reported the page since.
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
       AND EXISTS (SELECT FROM review_step AS report
                    WHERE report.case_id = c.id AND report.kind = 'reported' AND report.reason = ${reason})
     ORDER BY decision.at DESC LIMIT 1`;
  if (!dismissed || dismissed.newNetworks >= limits.reopeningNetworks) return null;
  const version = await pageVersionOf(tx, page);
  return version === dismissed.pageVersion ? dismissed.id : null;
}

/** Deletes a batch of rows that are older than a day. */
export const deleteExpiredSources = Prisma.sql`
  DELETE FROM report_source WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM report_source WHERE at < now() - interval '1 day' LIMIT 5000))`;
