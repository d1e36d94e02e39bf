import { addLateFonts } from './ui/late-fonts.ts';
import { tellVisitorTimes } from './browser/visitor-time.ts';
import { countVisits, type Navigation } from './visits.ts';

/** What comes after everything that a visitor needs, in a chunk of its own: no page weighs more for it. */
export function afterStart(navigation: Navigation): void {
  // There by the time that a theme is chosen, even where another page follows at once.
  import('./ui/kept-theme.ts').catch(console.error);
  addLateFonts();
  tellVisitorTimes();
  countVisits(navigation);
}
