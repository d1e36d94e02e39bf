import { tellVisitorTimes } from './browser/visitor-time.ts';
import { countVisits, type Navigation } from './visits.ts';

/** What comes after everything that a visitor needs, in a chunk of its own: no page weighs more for it. */
export function afterStart(navigation: Navigation): void {
  tellVisitorTimes();
  countVisits(navigation);
}
