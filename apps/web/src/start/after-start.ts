import { tellVisitorTimes } from '../browser/visitor-time.ts';
import lateFonts from '../ui/late-fonts.css?inline';
import { countVisits, type Navigation } from '../storefront/visits.ts';

/** Loads what visitors need last, in its own chunk, so that no page grows. */
export function afterStart(navigation: Navigation): void {
  // Must be loaded when the user chooses a theme, even if another page follows immediately.
  import('../ui/theme/kept-theme.ts').catch(console.error);
  // A page that fails offline still shows its illustration.
  import('../ui/pictures/illustrations.tsx').catch(console.error);
  // A browser that prints does not wait for code.
  import('../browser/print-address.ts').then(({ printAddress }) => printAddress(), console.error);
  declareFaces(lateFonts);
  tellVisitorTimes();
  countVisits(navigation);
}

// Text, since Vite would add its loader of style sheets to the code of every page.
function declareFaces(css: string): void {
  const style = new CSSStyleSheet();
  style.replaceSync(css);
  document.adoptedStyleSheets.push(style);
}
