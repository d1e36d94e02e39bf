import type { Offering } from '@stoa/contracts';

/** The displayed list: the pinned offering first. */
export interface OwnOfferings {
  items: readonly Offering[];
  pinnedId: string | null;
  version: number;
}

/** The order to save: every offering, and which one is pinned. */
export interface NewOrder {
  ids: string[];
  pinnedId: string | null;
}

/**
 * Whether an offering can move up (-1) or down (1). The pinned one stays on top, and ended workshops stay
 * below.
 */
export function canMove({ items, pinnedId }: OwnOfferings, id: string, by: -1 | 1): boolean {
  const place = items.findIndex((offering) => offering.id === id);
  const [moved, neighbour] = [items[place], items[place + by]];
  if (!moved || !neighbour || hasEnded(moved) !== hasEnded(neighbour)) return false;
  return id !== pinnedId && neighbour.id !== pinnedId;
}

const hasEnded = ({ schedule }: Offering) => schedule?.ended === true;

/** The order after an offering has moved up (-1) or down (1). */
export function orderAfter(list: OwnOfferings, id: string, by: -1 | 1): string[] {
  return moved(idsOf(list), id, idsOf(list).indexOf(id) + by);
}

/** The order after an offering was dropped on another; undefined if that changes nothing. */
export function orderAfterDrop(list: OwnOfferings, id: string, overId: string): string[] | undefined {
  const ids = idsOf(list);
  const [from, over] = [ids.indexOf(id), ids.indexOf(overId)];
  const [dropped, other] = [list.items[from], list.items[over]];
  // Another tab may have deleted either during the drag. Ended workshops stay below the current offerings.
  if (!dropped || !other || id === list.pinnedId || hasEnded(dropped) !== hasEnded(other)) return undefined;
  const to = Math.max(over, ids[0] === list.pinnedId ? 1 : 0);
  return from === to ? undefined : moved(ids, id, to);
}

/** The list in an order that is being saved. */
export function inOrder(list: OwnOfferings, { ids, pinnedId }: NewOrder): OwnOfferings {
  const place = (offering: Offering) =>
    (hasEnded(offering) ? 2 * ids.length : 0) + (offering.id === pinnedId ? -1 : ids.indexOf(offering.id));
  return { ...list, pinnedId, items: [...list.items].sort((a, b) => place(a) - place(b)) };
}

const idsOf = ({ items }: OwnOfferings) => items.map(({ id }) => id);

function moved(ids: readonly string[], id: string, place: number): string[] {
  const others = ids.filter((other) => other !== id);
  return [...others.slice(0, place), id, ...others.slice(place)];
}
