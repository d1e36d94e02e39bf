import type { Numbers } from '@stoa/contracts';
import { limits } from '@stoa/contracts/limits';
import { type ReactNode, useState } from 'react';
import { creatorErrorMessages } from '../../api/creator/creator-messages.ts';
import { messageFor, referenceOf } from '../../api/messages.ts';
import { useMyOfferings } from '../../api/creator/my-offerings.queries.ts';
import { useNumbers } from '../../api/creator/numbers.queries.ts';
import { useMe } from '../../auth/me.queries.ts';
import { paths } from '../../navigation/paths.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DownloadIcon } from '../../ui/icons/download-icon.tsx';
import { FilterButtons } from '../../ui/fields/filter.tsx';
import { EmptyState, ErrorState, Message, TryAgain } from '../../ui/notice.tsx';
import { LoadingText, Skeleton } from '../../ui/skeleton.tsx';
import { shortDay } from './days.ts';
import { useSaveTable } from './numbers.queries.ts';
import { ViewsChart } from './views-chart.tsx';
import { PersonalWords } from '../../ui/text/personal-words.tsx';

const times = { '7 days': 7, '30 days': 30, '90 days': 90 } as const;
type Time = keyof typeof times;
const timeNames = Object.keys(times) as Time[];

export default function NumbersPanel() {
  const [time, setTime] = useState<Time>('30 days');
  const numbers = useNumbers(times[time]);
  const before = useBefore(times[time], numbers.data);
  return (
    <section
      aria-labelledby="numbers"
      className="bg-surface border-line shadow-card rounded-card min-w-0 border p-4 sm:p-8"
    >
      <div className="mb-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h1 id="numbers" className="text-3xl">
          Numbers
        </h1>
        <FilterButtons label="Time" options={timeNames} value={time} onChange={setTime} />
      </div>
      {numbers.data ? (
        <div className={classNames(numbers.isPlaceholderData && 'opacity-60')}>
          <Shown numbers={numbers.data} before={before} days={times[time]} />
        </div>
      ) : numbers.isError ? (
        <ErrorState
          title={messageFor(creatorErrorMessages.numbers, numbers.error)}
          reference={referenceOf(numbers.error)}
          onRetry={() => void numbers.refetch()}
        />
      ) : (
        <>
          <LoadingText>Loading your numbers...</LoadingText>
          <Skeleton className="h-24" />
          <Skeleton className="mt-4 h-52" />
        </>
      )}
      <p className="text-muted mt-6 text-sm">
        Counted by day (UTC), without cookies. Your own visits, programs and visitors who ask not to be
        counted are left out.
      </p>
    </section>
  );
}

type Totals = Numbers['totals'];

/** The totals of the period before, as far back as numbers are listed. */
function useBefore(days: number, now: Numbers | undefined): Totals | undefined {
  const isListed = 2 * days <= limits.listedVisitDays;
  const { data, isPlaceholderData } = useNumbers(isListed ? 2 * days : days);
  if (!isListed || !data || !now || isPlaceholderData || now.days.length !== days) return undefined;
  const less = (kind: keyof Totals) => Math.max(0, data.totals[kind] - now.totals[kind]);
  return {
    views: less('views'),
    visitors: less('visitors'),
    accessClicks: less('accessClicks'),
    supportClicks: less('supportClicks'),
    downloads: less('downloads'),
  };
}

interface ShownProps {
  numbers: Numbers;
  before: Totals | undefined;
  days: number;
}

function Shown({ numbers: { days, totals, ...numbers }, before, days: asked }: ShownProps) {
  if (Object.values(totals).every((total) => total === 0)) return <NoVisits />;
  return (
    <div className="grid gap-8">
      <TotalTiles totals={totals} before={before} days={asked} />
      <div className="grid gap-8 xl:grid-cols-[3fr_2fr]">
        <ViewsChart days={days} />
        <DaysTable days={days} />
      </div>
      <div className="grid gap-8 md:grid-cols-2">
        <TopOfferings counted={numbers.offerings} />
        <Ranking
          title="Where visitors came from"
          columns={['Site', 'Views']}
          none="No other site led here yet."
        >
          {numbers.referrers.slice(0, 5).map(({ host, views }) => (
            <Row key={host} name={host} counts={[views]} />
          ))}
        </Ranking>
      </div>
      <SaveTable days={asked} />
    </div>
  );
}

/** The views of an offering's page, and the clicks on its link there and on the profile. */
function TopOfferings({ counted }: { counted: Numbers['offerings'] }) {
  const { data, isError, error, refetch } = useMyOfferings();
  const title = 'Top offerings';
  if (!data)
    return (
      <section className="min-w-0">
        <h2 className="mb-2 text-xl">{title}</h2>
        {isError ? (
          <div role="alert" className="grid justify-items-start gap-3">
            <Message kind="failure">{messageFor(creatorErrorMessages.ownOfferings, error)}</Message>
            <TryAgain onRetry={() => void refetch()} />
          </div>
        ) : (
          <>
            <LoadingText>Loading your offerings...</LoadingText>
            <Skeleton className="h-24" />
          </>
        )}
      </section>
    );
  const titles = new Map(data.items.map((offering) => [offering.id, offering.title]));
  // Visits may name offerings that do not exist, since any client can send them.
  const viewed = counted.flatMap(({ offeringId, ...counts }) => {
    const name = titles.get(offeringId);
    return name === undefined ? [] : [{ name, ...counts }];
  });
  return (
    <Ranking title={title} columns={['Offering', 'Views', 'Clicks']} none="No offering was opened yet.">
      {viewed.slice(0, 5).map(({ name, views, accessClicks }, index) => (
        <Row key={index} name={<PersonalWords text={name} />} counts={[views, accessClicks]} />
      ))}
    </Ranking>
  );
}

function NoVisits() {
  const { data: me } = useMe();
  return (
    <EmptyState title="No visits yet. Share your page." quiet>
      {me && <CopyButton label="Copy link" text={location.origin + paths.profile(me.username)} />}
    </EmptyState>
  );
}

const totalNames = {
  views: 'Views',
  visitors: 'Visitors',
  accessClicks: 'Access Now clicks',
  supportClicks: 'Support clicks',
  downloads: 'Downloads',
} as const satisfies Record<keyof Numbers['totals'], string>;

interface TotalTilesProps {
  totals: Totals;
  before: Totals | undefined;
  days: number;
}

function TotalTiles({ totals, before, days }: TotalTilesProps) {
  const named = Object.entries(totalNames) as [keyof Numbers['totals'], string][];
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-6 xl:grid-cols-5">
      {named.map(([kind, name]) => (
        <div
          key={kind}
          // Five items fill their rows at each width: 1 + 2 + 2, 3 + 2, or one row.
          className="bg-sunk rounded-field flex flex-col-reverse justify-end px-4 py-3 max-sm:first:col-span-2 sm:max-xl:col-span-2 sm:max-xl:nth-last-[-n+2]:col-span-3"
        >
          <dt className="text-muted text-sm">{name}</dt>
          <dd className="flex flex-wrap items-baseline gap-x-2 font-serif text-3xl font-semibold tabular-nums">
            {totals[kind].toLocaleString('en-GB')}
            {before && <Before count={before[kind]} days={days} />}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Before({ count, days }: { count: number; days: number }) {
  return (
    <span className="text-muted font-sans text-sm font-normal whitespace-nowrap">
      before: {count.toLocaleString('en-GB')}
      <span className="sr-only"> in the {days} days before</span>
    </span>
  );
}

const cell = 'py-1.5 pl-3 text-right tabular-nums';

const shownDays = 7;

/**
 * The days with visits, the newest first. The table shows as many as fit beside the chart, or all of them. The CSV
 * file has the other days too.
 */
function DaysTable({ days }: Pick<Numbers, 'days'>) {
  const [whole, setWhole] = useState(false);
  const visited = days.filter(({ day: _, ...counts }) => Object.values(counts).some((count) => count > 0));
  const latest = visited.toReversed().slice(0, whole ? visited.length : shownDays);
  return (
    <div className="min-w-0">
      <table id="numbers-by-day" className="w-full text-sm">
        <caption className="sr-only">Views, visitors and clicks by day, the latest first</caption>
        <thead>
          <tr className="text-muted">
            <th scope="col" className="py-1.5 text-left font-semibold">
              Day
            </th>
            {['Views', 'Visitors', 'Clicks'].map((name) => (
              <th key={name} scope="col" className={classNames(cell, 'font-semibold')}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {latest.map(({ day, views, visitors, accessClicks, supportClicks }) => (
            <tr key={day} className="border-line border-t">
              <th scope="row" className="py-1.5 text-left font-normal whitespace-nowrap">
                <time dateTime={day}>{shortDay(day)}</time>
              </th>
              <td className={cell}>{views}</td>
              <td className={cell}>{visitors}</td>
              <td className={cell}>{accessClicks + supportClicks}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {visited.length > shownDays && (
        <Button
          look="quiet"
          size="small"
          className="mt-2 -ml-4"
          aria-expanded={whole}
          aria-controls="numbers-by-day"
          onClick={() => setWhole(!whole)}
        >
          {whole ? `Show ${shownDays} days` : `Show all ${visited.length} days with visits`}
        </Button>
      )}
    </div>
  );
}

interface RankingProps {
  title: string;
  columns: readonly string[];
  none: string;
  children: readonly ReactNode[];
}

function Ranking({ title, columns, none, children }: RankingProps) {
  return (
    <section className="min-w-0">
      <h2 className="mb-2 text-xl">{title}</h2>
      {children.length === 0 ? (
        <p className="text-muted text-sm">{none}</p>
      ) : (
        <table className="w-full table-fixed text-sm">
          <caption className="sr-only">{title}</caption>
          <thead>
            <tr className="text-muted">
              {columns.map((name, index) => (
                <th
                  key={name}
                  scope="col"
                  className={classNames(
                    'py-1.5 font-semibold',
                    index === 0 ? 'text-left' : 'w-14 text-right',
                  )}
                >
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      )}
    </section>
  );
}

function Row({ name, counts }: { name: ReactNode; counts: readonly number[] }) {
  return (
    <tr className="border-line border-t">
      <th scope="row" className="truncate py-1.5 pr-2 text-left font-normal">
        {name}
      </th>
      {counts.map((count, index) => (
        <td key={index} className="py-1.5 text-right tabular-nums">
          {count}
        </td>
      ))}
    </tr>
  );
}

function SaveTable({ days }: { days: number }) {
  const save = useSaveTable(days);
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button look="secondary" size="small" onClick={() => save.mutate()} aria-busy={save.isPending}>
        <DownloadIcon /> Download CSV
      </Button>
      <p role="alert" className="text-danger text-sm font-medium empty:absolute">
        {save.isError && messageFor(creatorErrorMessages.numbersTable, save.error)}
      </p>
    </div>
  );
}
