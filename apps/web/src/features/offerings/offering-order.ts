import type { Offering } from '@stoa/contracts';

/** What the list shows: the pinned one first. */
export interface OwnOfferings {
  items: readonly Offering[];
  pinnedId: string | null;
  version: number;
}

/** Whether an offering has a place above (-1) or below (1) to go to: the pinned one stays on top, ended workshops below. */
export function canMove({ items, pinnedId }: OwnOfferings, id: string, by: -1 | 1): boolean {
  const place = items.findIndex((offering) => offering.id === id);
  const [moved, neighbour] = [items[place], items[place + by]];
  if (!moved || !neighbour || hasEnded(moved) !== hasEnded(neighbour)) return false;
  return id !== pinnedId && neighbour.id !== pinnedId;
}

const hasEnded = ({ schedule }: Offering) => schedule?.ended === true;

/** The order after one step of an offering up (-1) or down (1). */
export function orderAfter({ items }: OwnOfferings, id: string, by: -1 | 1): string[] {
  const ids = items.map((offering) => offering.id);
  const place = ids.indexOf(id) + by;
  const others = ids.filter((other) => other !== id);
  return [...others.slice(0, place), id, ...others.slice(place)];
}
