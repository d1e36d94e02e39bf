import type { PublicOffering } from '@stoa/contracts';
import { spanText, zoneText } from '@stoa/contracts/zoned-time';
import { useSyncExternalStore } from 'react';

const noChange = () => () => undefined;
/** Known in the browser alone: the page from the server has the workshop's own clocks. */
const useOwnZone = () =>
  useSyncExternalStore(
    noChange,
    () => Intl.DateTimeFormat().resolvedOptions().timeZone,
    () => undefined,
  );

/** When a workshop takes place and how many seats are left. The second line stands there before it is known what it says. */
export function WorkshopFacts({ offering: { schedule, seats } }: { offering: PublicOffering }) {
  const ownZone = useOwnZone();
  const left = seats && !schedule?.ended ? `${seats} ${seats === 1 ? 'seat' : 'seats'}` : '';
  if (!schedule) return left && <p className="mt-2 text-sm">{left}</p>;
  const { startsAt, timeZone } = schedule;
  const there = spanText(schedule, timeZone);
  const here = ownZone && spanText(schedule, ownZone) !== there && startIn(startsAt, ownZone);
  return (
    <div className="mt-2 text-sm">
      {/* Languages of a runtime differ in a comma: what the server wrote stays. */}
      <time dateTime={startsAt} className="font-semibold" suppressHydrationWarning>
        {there}
      </time>
      <span className="text-muted"> {zoneText(timeZone)}</span>
      <p className="text-muted min-h-[1lh]">
        {left}
        {left && here && ' · '}
        {here && `${here} your time`}
      </p>
    </div>
  );
}

const startIn = (at: string, timeZone: string) =>
  new Date(at).toLocaleString('en-GB', {
    ...{ timeZone, day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  } as const);
