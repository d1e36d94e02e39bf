import { calendarPath } from '@stoa/contracts/pages';
import { useCreatorOfferings } from '../../api/public/creator.queries.ts';
import { buttonClass } from '../../ui/button.tsx';

/**
 * A link to the calendar event of a workshop; nothing if the public page shows no date or the workshop is
 * over.
 */
export function CalendarLink({ username, offeringId }: { username: string; offeringId: string }) {
  const { data } = useCreatorOfferings(username);
  const shown = data?.items.find(({ id }) => id === offeringId);
  if (!shown?.schedule || shown.schedule.ended) return null;
  return (
    <a href={calendarPath(username, shown.slug)} className={buttonClass('quiet', 'small')}>
      Add to calendar
    </a>
  );
}
