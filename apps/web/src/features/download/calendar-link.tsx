import { calendarPath } from '@stoa/contracts/pages';
import { useCreatorOfferings } from '../../api/creator-offerings.resources.ts';
import { buttonClass } from '../../ui/button.tsx';

/** When a workshop takes place, for calendars; nothing where visitors read of no date or it is over. */
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
