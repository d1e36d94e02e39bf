import type { VisitForm } from '@stoa/contracts';
import { fetchApi } from '../api.ts';
import type { TestCreator } from '../creators.ts';
import { personsBrowser, readNumbers } from '../visits.ts';
import type { Outcome } from './ledger.ts';

/** A visit that a browser has told of, and whether it is sure to be counted. */
export interface DrillVisit {
  readonly visit: VisitForm;
  told: Outcome;
}

/** Tells once more of what nobody has said to be stored: whether it was or not, it counts once. */
export async function tellRest(visits: Iterable<DrillVisit>): Promise<void> {
  for (const one of visits) {
    if (one.told === 'acknowledged') continue;
    const { status } = await fetchApi('POST', '/api/visits', { body: one.visit, headers: personsBrowser });
    if (status === 204) one.told = 'acknowledged';
  }
}

/** Creators whose numbers are not those of the visits, each of which is acknowledged by now. */
export async function violationsOfVisits(
  visits: Iterable<DrillVisit>,
  creators: readonly TestCreator[],
  token: (creator: TestCreator) => Promise<string>,
): Promise<string[]> {
  const all = [...visits];
  const untold = all.filter(({ told }) => told === 'unknown').length;
  const found = untold > 0 ? [`${untold} visits are still not acknowledged`] : [];
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
