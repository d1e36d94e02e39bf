import type { Numbers } from '@stoa/contracts';
import { Link } from 'react-router-dom';
import { creatorErrorMessages } from '../../api/creator/creator-messages.ts';
import { messageFor } from '../../api/messages.ts';
import { useNumbers } from '../../api/creator/numbers.queries.ts';
import { paths } from '../../navigation/paths.ts';
import { ChevronIcon, DownIcon, UpIcon } from '../../ui/icons/editor-icons.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Message } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

type Day = Numbers['days'][number];

const week = 7;

const tiles = [
  ['Views', ({ views }) => views],
  ['Visitors', ({ visitors }) => visitors],
  ['Clicks', ({ accessClicks, supportClicks }) => accessClicks + supportClicks],
  ['Downloads', ({ downloads }) => downloads],
] as const satisfies readonly (readonly [string, (day: Day) => number])[];

/** The last seven days in figures, with the change since the seven days before. */
export function WeekTiles() {
  const { data, isError, error } = useNumbers(2 * week);
  return (
    <section aria-labelledby="week" className="min-w-0">
      <div className="mb-2 flex items-center justify-between gap-4">
        <h2 id="week" className="text-2xl">
          Last 7 Days
        </h2>
        <Link
          to={paths.numbers}
          className="text-accent hover:text-accent-strong flex min-h-11 items-center gap-1 text-sm font-semibold [&>svg]:size-4"
        >
          All numbers <ChevronIcon />
        </Link>
      </div>
      {data ? (
        <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
          {tiles.map(([name, countOf]) => {
            const sum = (days: readonly Day[]) => days.reduce((total, day) => total + countOf(day), 0);
            return (
              <Tile
                key={name}
                name={name}
                count={sum(data.days.slice(-week))}
                before={sum(data.days.slice(-2 * week, -week))}
              />
            );
          })}
        </dl>
      ) : isError ? (
        <Message kind="failure">{messageFor(creatorErrorMessages.numbers, error)}</Message>
      ) : (
        <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
          {tiles.map(([name]) => (
            <Skeleton key={name} className="h-16 sm:h-[4.875rem]" />
          ))}
        </div>
      )}
    </section>
  );
}

function Tile({ name, count, before }: { name: string; count: number; before: number }) {
  const change = count - before;
  const words = change === 0 ? 'as many as' : change > 0 ? 'more than' : 'fewer than';
  return (
    <div className="bg-surface border-line rounded-card flex h-16 flex-col-reverse justify-center border px-4 sm:h-[4.875rem]">
      <dt className="text-muted text-sm">{name}</dt>
      <dd className="flex items-baseline gap-2">
        <span className="font-serif text-2xl leading-tight font-semibold tabular-nums">
          {count.toLocaleString('en-GB')}
        </span>
        <span
          className={classNames(
            'inline-flex items-center gap-0.5 text-sm [&>svg]:size-3.5',
            change > 0 ? 'text-success font-semibold' : 'text-muted',
          )}
        >
          {change > 0 && <UpIcon />}
          {change < 0 && <DownIcon />}
          {change === 0 ? (
            <span aria-hidden="true">no change</span>
          ) : (
            <span>{Math.abs(change).toLocaleString('en-GB')}</span>
          )}
          <span className="sr-only"> {words} in the 7 days before</span>
        </span>
      </dd>
    </div>
  );
}
