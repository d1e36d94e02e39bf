import { keepRetrying } from './browser/retry-reads.ts';
import { tellVisitorTimes } from './browser/visitor-time.ts';
import lateFonts from './ui/late-fonts.css?inline';
import { countVisits, type Navigation } from './visits.ts';

/** What comes after everything that a visitor needs, in a chunk of its own: no page weighs more for it. */
export function afterStart(navigation: Navigation): void {
  // There by the time that a theme is chosen, even where another page follows at once.
  import('./ui/kept-theme.ts').catch(console.error);
  // A page that fails without a network still has its drawing.
  import('./ui/illustrations.tsx').catch(console.error);
  keepRetrying();
  // A browser waits for no code once it prints.
  import('./browser/print-address.ts').then(({ printAddress }) => printAddress(), console.error);
  declareFaces(lateFonts);
  tellVisitorTimes();
  countVisits(navigation);
}

// As text: for a file of style beside this code Vite's loader would come into the code of every page.
function declareFaces(css: string): void {
  const style = new CSSStyleSheet();
  style.replaceSync(css);
  document.adoptedStyleSheets.push(style);
}
