import type { PublicOffering } from '@stoa/contracts';

interface WorkshopFactsProps {
  offering: Pick<PublicOffering, 'schedule' | 'seats'>;
}

/**
 * When a workshop takes place and how many seats are left. The second line, by the visitor's own clocks, comes with the
 * scripts; its room is there before.
 */
export function WorkshopFacts({ offering: { schedule, seats } }: WorkshopFactsProps) {
  return schedule || seats ? (
    <div className="mt-2 text-sm">
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
