import { Palette } from '@stoa/contracts';
import { paletteLabels } from '@stoa/contracts/choices';
import { paletteAttribute } from '../../ui/palette.ts';
import { RadioCards } from '../../ui/fields/radio-cards.tsx';

interface PaletteChoiceProps {
  chosen: Palette;
  error: string | undefined;
  onChange: (chosen: Palette) => void;
}

const options = Palette.options.map((palette) => ({
  value: palette,
  label: paletteLabels[palette],
  drawing: <Swatch palette={palette} />,
}));

/** Chooses the colours of the creator's public pages. */
export function PaletteChoice(props: PaletteChoiceProps) {
  return (
    <RadioCards
      {...props}
      legend="Colours"
      explanation="Your profile and the pages of your offerings are shown in them, light and dark."
      name="palette"
      options={options}
      className="sm:grid-cols-3"
    />
  );
}

function Swatch({ palette }: { palette: Palette }) {
  return (
    <span
      aria-hidden="true"
      data-palette={paletteAttribute(palette)}
      className="border-line col-span-full mt-2 flex h-8 overflow-hidden rounded-full border"
    >
      <span className="bg-accent flex-1" />
      <span className="bg-accent-soft flex-1" />
      <span className="bg-paper flex-1" />
    </span>
  );
}
