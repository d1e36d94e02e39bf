import { Palette } from '@stoa/contracts';
import { paletteLabels } from '@stoa/contracts/choices';
import { useGroupError } from '../../ui/group-error.tsx';
import { paletteAttribute } from '../../ui/palette.ts';

interface PaletteChoiceProps {
  chosen: Palette;
  error: string | undefined;
  onChange: (chosen: Palette) => void;
}

/** The colours of the creator's public pages. */
export function PaletteChoice({ chosen, error, onChange }: PaletteChoiceProps) {
  const group = useGroupError(error);
  return (
    <fieldset {...group.props}>
      <legend className="mb-1 font-serif text-2xl font-semibold">Colours</legend>
      <p className="text-muted mb-4 text-sm">
        Your profile and the pages of your offerings are shown in them, light and dark.
      </p>
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
        {Palette.options.map((palette) => (
          <label
            key={palette}
            className="border-edge bg-surface rounded-card has-checked:border-accent has-checked:bg-accent-soft grid cursor-pointer grid-cols-[auto_1fr] items-center gap-x-3 gap-y-2 border p-4 outline-offset-2 outline-(--ring) has-focus-visible:outline-3"
          >
            <input
              type="radio"
              name="palette"
              value={palette}
              checked={chosen === palette}
              onChange={() => onChange(palette)}
              className="size-4 accent-(--accent)"
            />
            <span className="min-w-0 font-semibold">{paletteLabels[palette]}</span>
            <Swatch palette={palette} />
          </label>
        ))}
      </div>
      {group.message}
    </fieldset>
  );
}

function Swatch({ palette }: { palette: Palette }) {
  return (
    <span
      aria-hidden="true"
      data-palette={paletteAttribute(palette)}
      className="border-line col-span-full flex h-8 overflow-hidden rounded-full border"
    >
      <span className="bg-accent flex-1" />
      <span className="bg-accent-soft flex-1" />
      <span className="bg-paper flex-1" />
    </span>
  );
}
