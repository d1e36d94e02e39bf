import { useEffect, useReducer } from 'react';

const setValue = (Constructor: typeof HTMLInputElement | typeof HTMLTextAreaElement) =>
  Object.getOwnPropertyDescriptor(Constructor.prototype, 'value')?.set;

/**
 * Within a page: once it is here and hears of what is done with it, what was typed before counts. It answers to clicks one
 * render later, when whoever asks before it is left knows what was typed.
 */
export function Interactive(): null {
  const [typed, typedCounts] = useReducer(() => true, false);
  useEffect(() => {
    if ('interactive' in document.documentElement.dataset) return;
    if (typed) return becomeInteractive();
    countTyped();
    // With what the other parts have begun by now, as the router's blocker of who asks: React gives what effects of a page
    // it takes over begin its lowest priority, so a later moment could come first.
    typedCounts();
  }, [typed]);
  return null;
}

/** From now on clicks go where they belong, and the one that `public/early-input.js` has kept is done. */
export function becomeInteractive(): void {
  const { dataset } = document.documentElement;
  dataset.interactive = '';
  delete dataset.returning;
  const clicked = document.querySelector<HTMLElement>('[data-clicked]');
  if (!clicked) return;
  delete clicked.dataset.clicked;
  clicked.click();
}

function countTyped(): void {
  for (const field of document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')) {
    const { value, defaultValue, selectionStart, selectionEnd } = field;
    if (value === defaultValue) continue;
    // React takes the value for known that a field had when it came to it, and watches the property of the element.
    field.value = defaultValue;
    setValue(field instanceof HTMLInputElement ? HTMLInputElement : HTMLTextAreaElement)?.call(field, value);
    field.dispatchEvent(new Event('input', { bubbles: true }));
    // A new value takes the caret to its end, also from somebody who is about to write over what is selected. React sets it
    // twice more before this effect has ended.
    if (field === document.activeElement && selectionStart !== null)
      queueMicrotask(() => field.setSelectionRange(selectionStart, selectionEnd));
  }
}
