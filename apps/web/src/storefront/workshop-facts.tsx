import type { PublicOffering } from '@stoa/contracts';

interface WorkshopFactsProps {
  offering: Pick<PublicOffering, 'schedule' | 'seats'>;
}

/**
 * The time of a workshop and the number of seats left. The second line, in the visitor's time zone, comes
 * with the scripts. Its space is reserved before.
 */
export function WorkshopFacts({ offering: { schedule, seats } }: WorkshopFactsProps) {
  return schedule || seats ? (
    <div className="workshop-facts mt-2 text-sm">
      <b>{schedule?.text}</b>
      <span className="text-muted">
        {schedule && seats ? ' · ' : ''}
        {seats ? `${seats} seat${seats > 1 ? 's' : ''}` : ''}
      </span>
      <p className="min-h-lh font-bold">
        <visitor-time start={schedule?.startsAt} end={schedule?.endsAt} zone={schedule?.timeZone} />
      </p>
    </div>
  ) : null;
}
