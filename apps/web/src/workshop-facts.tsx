import type { PublicOffering } from '@stoa/contracts';

interface WorkshopFactsProps {
  offering: Pick<PublicOffering, 'schedule' | 'seats'>;
}

/** When a workshop takes place and how many seats are left. The second line stands there before it is known what it says. */
export function WorkshopFacts({ offering: { schedule, seats } }: WorkshopFactsProps) {
  return schedule || seats ? (
    <div className="mt-2 text-sm">
      <b>{schedule?.text}</b>
      <p className="text-muted flex min-h-lh gap-3">
        {seats ? `${seats} seat${seats > 1 ? 's' : ''}` : ''}
        <visitor-time start={schedule?.startsAt} zone={schedule?.timeZone} />
      </p>
    </div>
  ) : null;
}
