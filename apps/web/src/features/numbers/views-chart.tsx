import type { Numbers } from '@stoa/contracts';
import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { shortDay } from './days.ts';

const none = { day: '', views: 0, visitors: 0, accessClicks: 0, supportClicks: 0 };
const height = 120;
/** The width of one day's bar and the space beside it. */
const step = 10;

/**
 * Views per day as bars, with visitors in front. The pointer or the arrow keys choose a day, whose figures are
 * shown.
 */
export function ViewsChart({ days }: { days: Numbers['days'] }) {
  const most = Math.max(1, ...days.map(({ views, visitors }) => Math.max(views, visitors)));
  const top = scaleTop(most);
  const bar = (value: number) => (value / top) * height;
  const [first, last] = [days[0], days.at(-1)];
  const [chosen, setChosen] = useState<number>();
  const index = Math.min(chosen ?? days.length - 1, days.length - 1);
  const { day, views, visitors, accessClicks, supportClicks } = days[index] ?? none;
  const words = `${day && shortDay(day)}: ${views} views, ${visitors} visitors, ${accessClicks + supportClicks} clicks`;

  const point = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setChosen(Math.max(0, Math.min(days.length - 1, Math.floor(((clientX - left) / width) * days.length))));
  };
  const move = (event: KeyboardEvent) => {
    const to = {
      ...{ ArrowLeft: index - 1, ArrowDown: index - 1, PageDown: index - 7, Home: 0 },
      ...{ ArrowRight: index + 1, ArrowUp: index + 1, PageUp: index + 7, End: days.length - 1 },
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    setChosen(Math.max(0, Math.min(days.length - 1, to)));
  };
  return (
    <figure className="min-w-0">
      <div aria-hidden="true" className="text-muted mb-3 flex flex-wrap gap-x-5 gap-y-1 text-sm">
        <span className="flex items-center gap-2">
          <span className="bg-accent/35 size-3 rounded-full" /> Views
        </span>
        <span className="flex items-center gap-2">
          <span className="bg-accent size-3 rounded-full" /> Visitors
        </span>
        <span className="text-ink font-semibold tabular-nums">{words}</span>
      </div>
      <div className="flex gap-2">
        <div
          aria-hidden="true"
          className="text-muted flex h-44 flex-col justify-between text-right text-xs tabular-nums"
        >
          <span>{top}</span>
          <span>{top / 2}</span>
          <span>0</span>
        </div>
        <div
          role="slider"
          tabIndex={0}
          aria-label="Day"
          aria-valuemin={0}
          aria-valuemax={days.length - 1}
          aria-valuenow={index}
          aria-valuetext={words}
          onPointerMove={point}
          onPointerDown={point}
          // A finger that lifts leaves, too, but has chosen its day.
          onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setChosen(undefined)}
          onKeyDown={move}
          className="min-w-0 flex-1 touch-pan-y"
        >
          <svg
            aria-hidden="true"
            viewBox={`0 0 ${days.length * step} ${height}`}
            preserveAspectRatio="none"
            className="border-line h-44 w-full border-b"
          >
            {[0, 0.5].map((line) => (
              <line
                key={line}
                x2="100%"
                y1={line * height}
                y2={line * height}
                className="stroke-line"
                vectorEffect="non-scaling-stroke"
              />
            ))}
            {chosen !== undefined && (
              <path d={`M${index * step} 0h${step}v${height}h-${step}z`} className="fill-accent-soft" />
            )}
            {days.map(({ day, views, visitors }, index) => (
              <g key={day}>
                <rect
                  x={index * step + 1}
                  y={height - bar(views)}
                  width={step - 2}
                  height={bar(views)}
                  className="fill-accent/35"
                />
                <rect
                  x={index * step + 1}
                  y={height - bar(visitors)}
                  width={step - 2}
                  height={bar(visitors)}
                  className="fill-accent"
                />
              </g>
            ))}
          </svg>
        </div>
      </div>
      <div aria-hidden="true" className="text-muted mt-1 flex justify-between pl-6 text-xs">
        <span>{first && shortDay(first.day)}</span>
        <span>{last && shortDay(last.day)}</span>
      </div>
    </figure>
  );
}

/** The next even number with one or two significant digits, so that half of it is an integer. */
export function scaleTop(most: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(most)) - 1) * 2;
  return Math.max(2, Math.ceil(most / unit) * unit);
}
