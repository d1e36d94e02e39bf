import { limits, type Visit, type VisitCount } from '@stoa/contracts';

/** One counter that a visit increases. */
export interface VisitEntry {
  readonly creatorId: string;
  readonly day: string;
  readonly kind: VisitCount['kind'];
  readonly subject: string;
  readonly visitor: string;
}

/** The subjects (offerings or hosts) that are already counted for a creator on a day. */
export interface KnownSubjects extends Pick<VisitEntry, 'creatorId' | 'day' | 'kind'> {
  readonly subjects: number;
  /** Those of the requested subjects that are already counted. */
  readonly known: readonly string[];
}

/** Counts everything that has no counter of its own. */
export const otherSubject = 'other';

export interface OwnedOffering {
  readonly creatorId: string;
  readonly offeringId: string;
}

/**
 * The counters that a visit increases: of its kind, of its offering and, for a view, of its referrer. Clients may send any
 * id, so an id that is not an offering of the creator counts as `other`.
 */
export function entriesOf(visits: readonly Visit[], owned: readonly OwnedOffering[]): VisitEntry[] {
  const own = new Set(owned.map(({ creatorId, offeringId }) => `${creatorId} ${offeringId}`));
  return visits.flatMap(({ creatorId, at, kind, offeringId, referrer, visitor }) => {
    const common = { creatorId, day: at.slice(0, 10), visitor };
    const named = own.has(`${creatorId} ${offeringId}`) ? offeringId : otherSubject;
    return [
      { ...common, kind, subject: offeringId === undefined ? '' : (named ?? otherSubject) },
      { ...common, kind: 'any' as const, subject: '' },
      ...(kind === 'view' && referrer
        ? [{ ...common, kind: 'referrer' as const, subject: referrer.replace(/^www\./, '') }]
        : []),
    ];
  });
}

/** Limits the subjects of a creator on a day, because clients may send invented hosts. Further ones count as `other`. */
export function withinLimits(entries: readonly VisitEntry[], known: readonly KnownSubjects[]): VisitEntry[] {
  const keyOf = ({ creatorId, day, kind }: Pick<VisitEntry, 'creatorId' | 'day' | 'kind'>) =>
    `${creatorId} ${day} ${kind}`;
  const places = new Map(
    known.map((one) => [keyOf(one), { taken: one.subjects, subjects: new Set(one.known) }]),
  );
  return entries.map((entry) => {
    if (['', otherSubject].includes(entry.subject)) return entry;
    const place = places.get(keyOf(entry)) ?? { taken: 0, subjects: new Set<string>() };
    places.set(keyOf(entry), place);
    if (place.subjects.has(entry.subject)) return entry;
    const max = entry.kind === 'referrer' ? limits.visitReferrers : limits.visitSubjects;
    if (place.taken >= max) return { ...entry, subject: otherSubject };
    place.taken += 1;
    place.subjects.add(entry.subject);
    return entry;
  });
}

/** Adds up the entries of each counter, and the number of new visitors. */
export function sumsOf(entries: readonly VisitEntry[], newVisitors: readonly Omit<VisitEntry, 'visitor'>[]) {
  const sums = new Map<string, Omit<VisitEntry, 'visitor'> & { count: number; visitors: number }>();
  const add = (
    { creatorId, day, kind, subject }: Omit<VisitEntry, 'visitor'>,
    what: 'count' | 'visitors',
  ) => {
    const key = [creatorId, day, kind, subject].join(' ');
    const sum = sums.get(key) ?? { creatorId, day, kind, subject, count: 0, visitors: 0 };
    sum[what] += 1;
    sums.set(key, sum);
  };
  for (const entry of entries) add(entry, 'count');
  for (const entry of newVisitors) add(entry, 'visitors');
  return [...sums.values()];
}
