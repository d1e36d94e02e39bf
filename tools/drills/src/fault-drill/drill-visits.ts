import type { VisitForm } from '@stoa/contracts';
import { fetchApi } from '@stoa/e2e/api';
import type { TestCreator } from '@stoa/e2e/creators';
import { browserHeaders, readNumbers } from '@stoa/e2e/visits';
import type { Outcome } from './ledger.ts';

/** A visit that a browser has reported, and whether it is certain to be counted. */
export interface DrillVisit {
  readonly visit: VisitForm;
  outcome: Outcome;
}

/** Sends all unacknowledged visits again. Stored or not, each counts once. */
export async function resendUnacknowledged(visits: Iterable<DrillVisit>): Promise<void> {
  for (const one of visits) {
    if (one.outcome === 'acknowledged') continue;
    const { status } = await fetchApi('POST', '/api/visits', { body: one.visit, headers: browserHeaders });
    if (status === 204) one.outcome = 'acknowledged';
  }
}

/** Creators whose numbers differ from their visits, all of which are acknowledged by then. */
export async function violationsOfVisits(
  visits: Iterable<DrillVisit>,
  creators: readonly TestCreator[],
  token: (creator: TestCreator) => Promise<string>,
): Promise<string[]> {
  const all = [...visits];
  const unacknowledged = all.filter(({ outcome }) => outcome === 'unknown').length;
  const found = unacknowledged > 0 ? [`${unacknowledged} visits are still not acknowledged`] : [];
  for (const creator of creators) {
    const own = all.filter(({ visit }) => visit.creatorId === creator.uid);
    if (own.length === 0) continue;
    const { views, supportClicks } = (await readNumbers(await token(creator))).totals;
    const wanted = own.filter(({ visit }) => visit.kind === 'view').length;
    if (views !== wanted)
      found.push(`${views} views of ${creator.username} are counted in place of ${wanted}`);
    const clicks = own.length - wanted;
    if (supportClicks !== clicks)
      found.push(`${supportClicks} clicks of ${creator.username} are counted in place of ${clicks}`);
  }
  return found;
}
