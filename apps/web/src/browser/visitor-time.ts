import { localTimeOf } from '@stoa/contracts/zoned-time';

declare module 'react' {
  // eslint-disable-next-line @typescript-eslint/no-namespace
  namespace JSX {
    interface IntrinsicElements {
      'visitor-time': {
        start: string | undefined;
        end?: string | null | undefined;
        zone: string | undefined;
      };
    }
  }
}

/**
 * Shows a start time in the browser's time zone, or nothing if it equals the time in `zone`. As a custom
 * element it adds no code to the pages. Its Shadow DOM keeps the text out of hydration: the server's page
 * lacks it.
 */
class VisitorTime extends HTMLElement {
  static readonly observedAttributes = ['start', 'end', 'zone'];
  readonly #shadow = this.attachShadow({ mode: 'open' });

  attributeChangedCallback(): void {
    const [start, end, zone] = ['start', 'end', 'zone'].map((name) => this.getAttribute(name));
    const text = document.createElement('span');
    text.textContent = start && zone ? textOf(start, end ?? start, zone) : '';
    this.#shadow.replaceChildren(text);
  }
}

function textOf(start: string, end: string, zone: string): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  if (localTimeOf(start, timeZone) === localTimeOf(start, zone)) return '';
  const format = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;
  const shown = new Intl.DateTimeFormat('en-GB', { ...format, timeZone });
  return `${shown.formatRange(new Date(start), new Date(end))} your time`;
}

/** Makes every `<visitor-time>` of the page show its text, including later ones. */
export function tellVisitorTimes(): void {
  if (!customElements.get('visitor-time')) customElements.define('visitor-time', VisitorTime);
}
