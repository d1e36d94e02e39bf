import { cleanup, configure } from '@testing-library/react';
import { afterEach } from '@jest/globals';

// A list of a hundred cards takes seconds when every core is busy.
configure({ asyncUtilTimeout: 20_000 });

// jsdom lays nothing out, so nothing is ever observed.
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

// This browser of tests lays nothing out, and so scrolls nowhere.
Element.prototype.scrollIntoView ??= () => undefined;
