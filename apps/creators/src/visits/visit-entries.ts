import { limits, type Visit, type VisitCount } from '@stoa/contracts';

/** One counter that a visit increments. */
export interface VisitEntry {
  readonly creatorId: string;
  readonly day: string;
  readonly kind: VisitCount['kind'];
  readonly subject: string;
  readonly visitor: string;
}

/** The subjects that a creator's day counts separately. */
export interface KnownSubjects extends Pick<VisitEntry, 'creatorId' | 'day' | 'kind'> {
  readonly subjects: number;
  /** The requested subjects that are among them. */
  readonly known: readonly string[];
}

/** The common subject of everything that is not counted separately. */
export const otherSubject = 'other';

export interface OwnedOffering {
  readonly creatorId: string;
  readonly offeringId: string;
}

/**
 * A visit counts for its kind, for its creator and, if it is a view, for its referrer. A client may send any offering id,
 * so an id that is not an offering of the creator is counted as `other`.
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

/** Limits the subjects of a creator's day, since a client may send invented hosts. The rest is counted as `other`. */
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

/** The sums of entries, with the number of new visitors. */
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
