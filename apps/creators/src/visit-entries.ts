import { isReferrerHost, limits, type Visit, type VisitCount } from '@stoa/contracts';

/** One thing that a visit adds one to. */
export interface Entry {
  readonly creatorId: string;
  readonly day: string;
  readonly kind: VisitCount['kind'];
  readonly subject: string;
  readonly visitor: string;
}

/** What a creator's day tells apart by now. */
export interface Known extends Pick<Entry, 'creatorId' | 'day' | 'kind'> {
  readonly subjects: number;
  /** Of the subjects in question. */
  readonly known: readonly string[];
}

/** What is counted where there are too many to tell apart. */
export const otherSubject = 'other';

/** An offering and whose it is. */
export interface OwnedOffering {
  readonly creatorId: string;
  readonly offeringId: string;
}

/**
 * A visit counts by itself, for whose page it was, and for where it came from. Anybody may name any offering and host: what is
 * no offering of the creator that visitors have seen is counted with others, and what is no public host is left out.
 */
export function entriesOf(visits: readonly Visit[], owned: readonly OwnedOffering[]): Entry[] {
  const own = new Set(owned.map(({ creatorId, offeringId }) => `${creatorId} ${offeringId}`));
  return visits.flatMap(({ creatorId, at, kind, offeringId, referrer, visitor }) => {
    const whose = { creatorId, day: at.slice(0, 10), visitor };
    const named = own.has(`${creatorId} ${offeringId}`) ? offeringId : otherSubject;
    return [
      { ...whose, kind, subject: offeringId === undefined ? '' : (named ?? otherSubject) },
      { ...whose, kind: 'any' as const, subject: '' },
      ...(kind === 'view' && referrer && isReferrerHost(referrer)
        ? [{ ...whose, kind: 'referrer' as const, subject: referrer.replace(/^www\./, '') }]
        : []),
    ];
  });
}

/** Bounds what one creator's day can fill: anybody may send made-up hosts. What is beyond that is counted together. */
export function withinLimits(entries: readonly Entry[], known: readonly Known[]): Entry[] {
  const keyOf = ({ creatorId, day, kind }: Pick<Entry, 'creatorId' | 'day' | 'kind'>) =>
    `${creatorId} ${day} ${kind}`;
  const places = new Map(
    known.map((one) => [keyOf(one), { taken: one.subjects, subjects: new Set(one.known) }]),
  );
  return entries.map((entry) => {
    if (['', otherSubject].includes(entry.subject)) return entry;
    const place = places.get(keyOf(entry)) ?? { taken: 0, subjects: new Set<string>() };
    places.set(keyOf(entry), place);
    if (place.subjects.has(entry.subject)) return entry;
    const most = entry.kind === 'referrer' ? limits.visitReferrers : limits.visitSubjects;
    if (place.taken >= most) return { ...entry, subject: otherSubject };
    place.taken += 1;
    place.subjects.add(entry.subject);
    return entry;
  });
}

/** Entries added up, with how many of their visitors are new. */
export function sumsOf(entries: readonly Entry[], news: readonly Omit<Entry, 'visitor'>[]) {
  const sums = new Map<string, Omit<Entry, 'visitor'> & { count: number; visitors: number }>();
  const add = ({ creatorId, day, kind, subject }: Omit<Entry, 'visitor'>, what: 'count' | 'visitors') => {
    const key = [creatorId, day, kind, subject].join(' ');
    const sum = sums.get(key) ?? { creatorId, day, kind, subject, count: 0, visitors: 0 };
    sum[what] += 1;
    sums.set(key, sum);
  };
  for (const entry of entries) add(entry, 'count');
  for (const entry of news) add(entry, 'visitors');
  return [...sums.values()];
}
