import type { Numbers } from '@stoa/contracts';
import { shortDay } from './days.ts';

const height = 120;
/** The width of one day's bar and the space beside it. */
const step = 10;

/** Views per day as bars, with visitors in front. The table beside it has the same figures. */
export function ViewsChart({ days }: { days: Numbers['days'] }) {
  const most = Math.max(1, ...days.map(({ views, visitors }) => Math.max(views, visitors)));
  const top = scaleTop(most);
  const bar = (value: number) => (value / top) * height;
  const [first, last] = [days[0], days.at(-1)];
  return (
    <figure aria-hidden="true" className="min-w-0">
      <div className="text-muted mb-3 flex flex-wrap gap-x-5 gap-y-1 text-sm">
        <span className="flex items-center gap-2">
          <span className="bg-accent/35 size-3 rounded-full" /> Views
        </span>
        <span className="flex items-center gap-2">
          <span className="bg-accent size-3 rounded-full" /> Visitors
        </span>
      </div>
      <div className="flex gap-2">
        <div className="text-muted flex h-44 flex-col justify-between text-right text-xs tabular-nums">
          <span>{top}</span>
          <span>{top / 2}</span>
          <span>0</span>
        </div>
        <svg
          viewBox={`0 0 ${days.length * step} ${height}`}
          preserveAspectRatio="none"
          className="border-line h-44 min-w-0 flex-1 border-b"
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
      <div className="text-muted mt-1 flex justify-between pl-6 text-xs">
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
