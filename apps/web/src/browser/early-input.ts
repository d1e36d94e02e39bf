import { useEffect, useReducer } from 'react';

const setValue = (Constructor: typeof HTMLInputElement | typeof HTMLTextAreaElement) =>
  Object.getOwnPropertyDescriptor(Constructor.prototype, 'value')?.set;

/**
 * Rendered within a page. After hydration it applies the text that was typed earlier. One render later the
 * page handles clicks, when the leave guard knows about that text.
 */
export function Interactive(): null {
  const [typed, markTyped] = useReducer(() => true, false);
  useEffect(() => {
    if ('interactive' in document.documentElement.dataset) return;
    if (typed) return becomeInteractive();
    applyTypedText();
    // Batched with the updates of other effects, such as the leave guard's blocker. React gives updates from
    // effects of a hydrating page the lowest priority, so a separate update could come before them.
    markTyped();
  }, [typed]);
  return null;
}

/** Lets clicks through from now on, and repeats the click that `public/early-input.js` held back. */
export function becomeInteractive(): void {
  const { dataset } = document.documentElement;
  dataset.interactive = '';
  delete dataset.returning;
  const clicked = document.querySelector<HTMLElement>('[data-clicked]');
  if (!clicked) return;
  delete clicked.dataset.clicked;
  clicked.click();
}

function applyTypedText(): void {
  for (const field of document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')) {
    const { value, defaultValue, selectionStart, selectionEnd } = field;
    if (value === defaultValue) continue;
    // React records a field's value at hydration and wraps the element's `value` property. Setting the
    // default value through the wrapper and the typed one through the prototype makes React notice a change.
    field.value = defaultValue;
    setValue(field instanceof HTMLInputElement ? HTMLInputElement : HTMLTextAreaElement)?.call(field, value);
    field.dispatchEvent(new Event('input', { bubbles: true }));
    // Setting a value moves the caret to the end and loses a selection. React sets the value twice more
    // before this effect ends, so a microtask restores the selection.
    if (field === document.activeElement && selectionStart !== null)
      queueMicrotask(() => field.setSelectionRange(selectionStart, selectionEnd));
  }
}
