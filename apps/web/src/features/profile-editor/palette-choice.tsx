import { Palette } from '@stoa/contracts';
import { paletteLabels } from '@stoa/contracts/choices';
import { buttonClass } from '../../ui/button.tsx';
import { useGroupError } from '../../ui/group-error.tsx';
import { paletteAttribute } from '../../ui/palette.ts';
import { Tag } from '../../ui/tag.tsx';

interface PaletteChoiceProps {
  chosen: Palette;
  /** What the preview calls the creator. */
  name: string;
  error: string | undefined;
  onChange: (chosen: Palette) => void;
}

/** The colours of the creator's public pages, with a preview of what is chosen. */
export function PaletteChoice({ chosen, name, error, onChange }: PaletteChoiceProps) {
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
      <Preview palette={chosen} name={name} />
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

function Preview({ palette, name }: { palette: Palette; name: string }) {
  return (
    <figure
      aria-label={`Preview in ${paletteLabels[palette]}`}
      data-palette={paletteAttribute(palette)}
      className="bg-paper text-ink border-line rounded-card mt-4 border p-5"
    >
      <p dir="auto" className="truncate font-serif text-xl font-semibold">
        {name}
      </p>
      <p className="text-muted mt-1 text-sm">This is how your pages look.</p>
      <div className="bg-surface border-line shadow-card rounded-card mt-4 flex flex-wrap items-center gap-3 border p-4">
        <Tag>eBook</Tag>
        <span className="text-accent font-semibold underline underline-offset-3">A link</span>
        <span className={`${buttonClass('primary', 'small')} ml-auto`}>A button</span>
      </div>
    </figure>
  );
}
