import { Layout } from '@stoa/contracts';
import { layoutLabels } from '@stoa/contracts/choices';
import { RadioCards } from '../../ui/fields/radio-cards.tsx';

interface LayoutChoiceProps {
  chosen: Layout;
  error: string | undefined;
  onChange: (chosen: Layout) => void;
}

const hints: Record<Layout, string> = {
  cards: 'Large covers with a few words about each offering.',
  list: 'One short row for each: good for many offerings.',
};

const options = Layout.options.map((layout) => ({
  value: layout,
  label: layoutLabels[layout],
  hint: hints[layout],
  drawing: <Sketch layout={layout} />,
}));

/** Chooses the layout of the offerings on the profile. */
export function LayoutChoice(props: LayoutChoiceProps) {
  return (
    <RadioCards
      {...props}
      legend="Layout"
      explanation="How your offerings stand on your profile."
      name="layout"
      options={options}
      className="sm:grid-cols-2"
    />
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
      className="text-accent row-span-2 h-10 w-14 self-center"
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
