import {
  type Creator,
  endOf,
  instantOf,
  withScheduleText,
  type Offering,
  type PublicCreator,
  type Schedule,
} from '@stoa/contracts';

/** A creator as their public profile shows them. */
export const creatorAsVisitorsSee = (creator: Creator): PublicCreator => ({
  ...creator,
  email: creator.contactBy === 'email' ? creator.email : null,
});

type Shown = Pick<Offering, 'state' | 'paymentUrl' | 'schedule' | 'seats'>;

/**
 * An offering as its public page shows it. One that cannot be bought has no payment link, and an ended one
 * shows no seats.
 */
export function offeringAsVisitorsSee<O extends Shown>(offering: O): O {
  const { state, paymentUrl, schedule, seats } = offering;
  const isOver = schedule?.ended === true;
  const isSoldOut = state === 'sold_out' || seats === 0;
  return { ...offering, paymentUrl: isOver || isSoldOut ? '' : paymentUrl, seats: isOver ? null : seats };
}

interface TypedSchedule {
  readonly start: string;
  readonly end?: string | null | undefined;
  readonly timeZone: string;
}

/** The schedule of the typed dates; null if the start is not a valid date yet. */
export function scheduleAsVisitorsSee(typed: TypedSchedule, now = Date.now()): Schedule | null {
  const { start, end, timeZone } = typed;
  const startsAt = isoOf(start, timeZone);
  if (!startsAt) return null;
  const endsAt = end ? isoOf(end, timeZone) : null;
  const span = { startsAt, endsAt: endsAt && endsAt > startsAt ? endsAt : null };
  return withScheduleText({ ...span, timeZone, ended: endOf(span) <= now });
}

function isoOf(localTime: string, timeZone: string): string | null {
  const instant = localTime ? instantOf(localTime, timeZone) : undefined;
  return instant === undefined ? null : new Date(instant).toISOString();
}
