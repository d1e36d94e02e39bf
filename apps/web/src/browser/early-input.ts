import { useEffect } from 'react';

const setValue = (Constructor: typeof HTMLInputElement | typeof HTMLTextAreaElement) =>
  Object.getOwnPropertyDescriptor(Constructor.prototype, 'value')?.set;

/** Within a page: from when it is here and hears of what is done with it. */
export function Interactive(): null {
  useEffect(becomeInteractive, []);
  return null;
}

/** What was typed and clicked before the page could hear of it counts now; `public/early-input.js` has kept the click. */
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
  document.querySelector<HTMLButtonElement>('button[data-clicked]')?.click();
}
