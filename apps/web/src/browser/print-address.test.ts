import { beforeEach, expect, test } from '@jest/globals';
import { printAddress } from './print-address.ts';

printAddress();
beforeEach(() => {
  dispatchEvent(new Event('afterprint'));
  document.body.innerHTML = '<main id="main"></main><footer></footer>';
});

const printed = () => document.querySelector('[data-printed-address]');

test.each(['/profile/ada', '/profile/ada/letters'])(
  'the address and its QR code are printed with %s',
  (path) => {
    history.pushState(null, '', `${path}?from=mail#offerings`);
    dispatchEvent(new Event('beforeprint'));
    expect(printed()?.textContent).toBe(location.origin + path);
    expect(printed()?.querySelector('svg')?.getAttribute('aria-label')).toBe(
      `QR code of ${location.origin}${path}`,
    );
    expect(printed()?.querySelector('path')?.getAttribute('d')).toMatch(/^M\d+ \d+h1v1h-1z/);
    dispatchEvent(new Event('afterprint'));
    expect(printed()).toBeNull();
  },
);

test('printing twice shows the address once', () => {
  history.pushState(null, '', '/profile/ada');
  for (let print = 0; print < 2; print += 1) dispatchEvent(new Event('beforeprint'));
  expect(document.querySelectorAll('[data-printed-address]')).toHaveLength(1);
});

test.each(['/download/c/o?key=secret', '/dashboard', '/review', '/profiles'])(
  'no address is printed with %s',
  (path) => {
    history.pushState(null, '', path);
    dispatchEvent(new Event('beforeprint'));
    expect(printed()).toBeNull();
  },
);
