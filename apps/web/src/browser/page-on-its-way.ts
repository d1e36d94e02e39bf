import { afterEach, beforeEach, jest } from '@jest/globals';

/**
 * Simulates, for each test of a file, a page that the browser is still parsing. Its code waits in a template
 * until `script` begins it.
 */
export function pageOnItsWay(script: string) {
  let readyState: DocumentReadyState;
  let listening: jest.SpiedFunction<typeof window.addEventListener>;
  beforeEach(() => {
    readyState = 'loading';
    jest.spyOn(document, 'readyState', 'get').mockImplementation(() => readyState);
    document.head.innerHTML =
      '<template id="code"><script type="module" src="/assets/code.js"></script></template>';
    listening = jest.spyOn(window, 'addEventListener');
  });
  afterEach(() => {
    for (const [type, listener, options] of listening.mock.calls)
      removeEventListener(type, listener, options);
    document.head.innerHTML = '';
    document.body.innerHTML = '';
  });
  return {
    run: () => (0, eval)(script) as unknown,
    begun: () => document.head.querySelector('script[src="/assets/code.js"]') !== null,
    parsed() {
      readyState = 'interactive';
      dispatchEvent(new Event('DOMContentLoaded'));
    },
  };
}
