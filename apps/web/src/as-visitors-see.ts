import {
  type Creator,
  endOf,
  instantOf,
  inWords,
  type Offering,
  type PublicCreator,
  type Schedule,
} from '@stoa/contracts';

/** A creator as their own profile shows them. */
export const creatorAsVisitorsSee = (creator: Creator): PublicCreator => ({
  ...creator,
  email: creator.contactBy === 'email' ? creator.email : null,
});

type Shown = Pick<Offering, 'state' | 'paymentUrl' | 'schedule' | 'seats'>;

/** An offering as its page shows it: what cannot be bought leads nowhere, and nobody reads of seats in the end. */
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

/** A date as it is typed; none where it is no date yet. */
export function scheduleAsVisitorsSee(typed: TypedSchedule, now = Date.now()): Schedule | null {
  const { start, end, timeZone } = typed;
  const startsAt = isoOf(start, timeZone);
  if (!startsAt) return null;
  const endsAt = end ? isoOf(end, timeZone) : null;
  const span = { startsAt, endsAt: endsAt && endsAt > startsAt ? endsAt : null };
  return inWords({ ...span, timeZone, ended: endOf(span) <= now });
}

function isoOf(localTime: string, timeZone: string): string | null {
  const instant = localTime ? instantOf(localTime, timeZone) : undefined;
  return instant === undefined ? null : new Date(instant).toISOString();
}
