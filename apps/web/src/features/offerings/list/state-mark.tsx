import type { Offering } from '@stoa/contracts';
import { offeringStateLabels } from '@stoa/contracts/choices';
import type { ReactNode } from 'react';
import {
  ArchivedIcon,
  DraftIcon,
  EndedIcon,
  HiddenIcon,
  PublishedIcon,
  SoldOutIcon,
  TakenDownIcon,
} from '../../../ui/icons/state-icons.tsx';

/** A shape for each state, because colour alone does not distinguish them for everybody. */
const marks: Record<Offering['state'], readonly [icon: ReactNode, colour: string]> = {
  published: [<PublishedIcon key="icon" />, 'text-success'],
  draft: [<DraftIcon key="icon" />, 'text-muted'],
  hidden: [<HiddenIcon key="icon" />, 'text-muted'],
  sold_out: [<SoldOutIcon key="icon" />, 'text-danger'],
  archived: [<ArchivedIcon key="icon" />, 'text-muted'],
};

/** The offering's state, by shape, colour and name. */
export function StateMark({ offering: { state, takenDown, schedule } }: { offering: Offering }) {
  const [icon, colour] = marks[state];
  if (takenDown)
    return (
      <span className="text-danger flex items-center gap-1.5">
        <TakenDownIcon />
        Hidden by Stoa
      </span>
    );
  const label = <span>{offeringStateLabels[state]}</span>;
  return schedule?.ended ? (
    <span className="flex items-center gap-1.5">
      <span className="text-muted">
        <EndedIcon />
      </span>
      <span className="sr-only">{label}</span>
      <span>Ended</span>
    </span>
  ) : (
    <span className="flex items-center gap-1.5">
      <span className={colour}>{icon}</span>
      {label}
    </span>
  );
}
