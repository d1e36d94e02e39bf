import { cleanup, configure } from '@testing-library/react';
import { afterEach } from '@jest/globals';

// A list of a hundred cards takes seconds when every core is busy.
configure({ asyncUtilTimeout: 20_000 });

// jsdom has no layout, so nothing is ever observed.
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};

afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
});

// jsdom 26 has the element, but not its methods `showModal` and `close`.
HTMLDialogElement.prototype.showModal ??= function showModal() {
  this.open = true;
  this.querySelector<HTMLElement>('button, input, [tabindex="0"]')?.focus();
};
HTMLDialogElement.prototype.close ??= function close() {
  this.open = false;
};

// jsdom has no layout, so it cannot scroll.
Element.prototype.scrollIntoView ??= () => undefined;
