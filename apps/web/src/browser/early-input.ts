import { useEffect, useReducer } from 'react';

const setValue = (Constructor: typeof HTMLInputElement | typeof HTMLTextAreaElement) =>
  Object.getOwnPropertyDescriptor(Constructor.prototype, 'value')?.set;

/**
 * Within a page: from when it is here and hears of what is done with it, what was typed before counts. What was clicked
 * before does so one render later, when whoever asks before it is left knows what was typed.
 */
export function Interactive(): null {
  const [typed, typedCounts] = useReducer(() => true, false);
  useEffect(() => {
    if (typed) return clickEarly();
    becomeInteractive();
    // With what the other parts have begun by now: React gives what effects of a page it takes over begin its lowest
    // priority, so a later moment could come first.
    typedCounts();
  }, [typed]);
  return null;
}

/** What was typed before the page could hear of it counts now, and from now on clicks go where they belong. */
export function becomeInteractive(): void {
  const { dataset } = document.documentElement;
  if ('interactive' in dataset) return;
  dataset.interactive = '';
  delete dataset.returning;
  for (const field of document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')) {
    const { value, defaultValue } = field;
    if (value === defaultValue) continue;
    // React takes the value for known that a field had when it came to it, and watches the property of the element.
    field.value = defaultValue;
    setValue(field instanceof HTMLInputElement ? HTMLInputElement : HTMLTextAreaElement)?.call(field, value);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
}

/** Does the click that `public/early-input.js` has kept. */
function clickEarly(): void {
  const clicked = document.querySelector<HTMLElement>('[data-clicked]');
  if (!clicked) return;
  delete clicked.dataset.clicked;
  clicked.click();
}
