import type { Niche } from '@stoa/contracts';
import { niches } from '@stoa/contracts/choices';
import { useGroupError } from '../../ui/fields/group-error.tsx';

interface NicheChoiceProps {
  chosen: readonly Niche[];
  error?: string;
  onChange: (niches: Niche[]) => void;
}

export function NicheChoice({ chosen, error, onChange }: NicheChoiceProps) {
  const group = useGroupError(error);
  const toggle = (niche: Niche) => {
    onChange(
      niches.filter((option) => (option === niche ? !chosen.includes(niche) : chosen.includes(option))),
    );
  };
  return (
    <fieldset {...group.props}>
      <legend className="mb-1 font-semibold">Niches</legend>
      <p className="text-muted mb-3 text-sm">Choose all that fit. Visitors filter by them.</p>
      <div className="flex flex-wrap gap-2">
        {niches.map((niche) => (
          <label
            key={niche}
            className="border-edge bg-surface has-checked:border-accent has-checked:bg-accent-soft has-checked:text-accent-strong flex min-h-11 cursor-pointer items-center gap-2 rounded-full border px-4 font-medium outline-offset-2 outline-(--ring) has-focus-visible:outline-3"
          >
            <input
              type="checkbox"
              name="niches"
              value={niche}
              checked={chosen.includes(niche)}
              onChange={() => toggle(niche)}
              className="size-4 accent-(--accent)"
            />
            {niche}
          </label>
        ))}
      </div>
      {group.message}
    </fieldset>
  );
}
