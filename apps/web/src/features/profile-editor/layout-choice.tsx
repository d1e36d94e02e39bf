import { Layout } from '@stoa/contracts';
import { layoutLabels } from '@stoa/contracts/choices';
import { useGroupError } from '../../ui/group-error.tsx';

interface LayoutChoiceProps {
  chosen: Layout;
  error: string | undefined;
  onChange: (chosen: Layout) => void;
}

const hints: Record<Layout, string> = {
  cards: 'Large covers with a few words about each offering.',
  list: 'One short row for each: good for many offerings.',
};

/** How the offerings stand on the creator's profile. */
export function LayoutChoice({ chosen, error, onChange }: LayoutChoiceProps) {
  const group = useGroupError(error);
  return (
    <fieldset {...group.props}>
      <legend className="mb-1 font-serif text-2xl font-semibold">Layout</legend>
      <p className="text-muted mb-4 text-sm">How your offerings stand on your profile.</p>
      <div className="grid gap-3 sm:grid-cols-2">
        {Layout.options.map((layout) => (
          <label
            key={layout}
            className="border-edge bg-surface rounded-card has-checked:border-accent has-checked:bg-accent-soft grid cursor-pointer grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 border p-4 outline-offset-2 outline-(--ring) has-focus-visible:outline-3"
          >
            <input
              type="radio"
              name="layout"
              value={layout}
              checked={chosen === layout}
              aria-label={layoutLabels[layout]}
              aria-describedby={`layout-${layout}`}
              onChange={() => onChange(layout)}
              className="size-4 accent-(--accent)"
            />
            <span className="font-semibold">{layoutLabels[layout]}</span>
            <Sketch layout={layout} />
            <span id={`layout-${layout}`} className="text-muted col-start-2 row-start-2 text-sm">
              {hints[layout]}
            </span>
          </label>
        ))}
      </div>
      {group.message}
    </fieldset>
  );
}

const sketches: Record<Layout, string> = {
  cards: 'M2 4h21v16H2zM29 4h21v16H29zM2 24h16M29 24h16M2 30h10M29 30h10',
  list: 'M2 4h8v7H2zM2 15h8v7H2zM2 26h8v7H2zM15 7.5h18M15 18.5h18M15 29.5h18M42 7.5h8M42 18.5h8M42 29.5h8',
};

function Sketch({ layout }: { layout: Layout }) {
  return (
    <svg
      viewBox="0 0 52 36"
      aria-hidden="true"
      className="text-accent row-span-2 h-10 w-14"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={sketches[layout]} />
    </svg>
  );
}
