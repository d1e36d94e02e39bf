import { limits, type Numbers, type VisitKind } from '@stoa/contracts';
import { otherSubject } from './visit-entries.ts';
import type { DayCount, SubjectCount } from './visits.repository.ts';

type Totals = Numbers['totals'];
type OfferingNumbers = Numbers['offerings'][number];

const dayMs = 24 * 60 * 60 * 1000;
const listedReferrers = 20;

/** The last `days` days in UTC, oldest first and including today. */
export function lastDays(days: number, now = Date.now()): string[] {
  return Array.from({ length: days }, (_, index) =>
    new Date(now - (days - 1 - index) * dayMs).toISOString().slice(0, 10),
  );
}

/** The statistics of a creator: numbers of each day, top offerings and top referrers. */
export function toNumbers(
  days: readonly string[],
  byDay: readonly DayCount[],
  bySubject: readonly SubjectCount[],
): Numbers {
  const counts = new Map(byDay.map((row) => [`${row.day} ${row.kind}`, row]));
  const listed = days.map((day) => {
    const count = (kind: VisitKind) => counts.get(`${day} ${kind}`)?.count ?? 0;
    return {
      day,
      views: count('view'),
      visitors: counts.get(`${day} any`)?.visitors ?? 0,
      accessClicks: count('access'),
      supportClicks: count('support'),
      downloads: count('download'),
    };
  });
  const referrers = bySubject.filter(({ kind }) => kind === 'referrer');
  return {
    days: listed,
    totals: listed.reduce(added, { views: 0, visitors: 0, accessClicks: 0, supportClicks: 0, downloads: 0 }),
    profileViews: bySubject.find(({ kind, subject }) => kind === 'view' && subject === '')?.count ?? 0,
    offerings: offeringsOf(bySubject),
    referrers: referrers
      .slice(0, listedReferrers)
      .map(({ subject, count }) => ({ host: subject, views: count })),
  };
}

const added = (sum: Totals, day: Totals): Totals => ({
  views: sum.views + day.views,
  visitors: sum.visitors + day.visitors,
  accessClicks: sum.accessClicks + day.accessClicks,
  supportClicks: sum.supportClicks + day.supportClicks,
  downloads: sum.downloads + day.downloads,
});

const named = { view: 'views', access: 'accessClicks', download: 'downloads' } as const;

function offeringsOf(rows: readonly SubjectCount[]): OfferingNumbers[] {
  const offerings = new Map<string, OfferingNumbers>();
  for (const { kind, subject, count } of rows) {
    if (['', otherSubject].includes(subject) || !(kind in named)) continue;
    const known = offerings.get(subject) ?? { offeringId: subject, views: 0, accessClicks: 0, downloads: 0 };
    offerings.set(subject, { ...known, [named[kind as keyof typeof named]]: count });
  }
  return [...offerings.values()]
    .toSorted((a, b) => b.views - a.views || b.accessClicks - a.accessClicks)
    .slice(0, limits.visitSubjects);
}
