import { expect, test } from '@jest/globals';
import { browserNameOf } from './browser-name.ts';

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';

test.each([
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/142.0.0.0 Safari/537.36`, 'Chrome on Windows'],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`,
    'Microsoft Edge on Windows',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
    'Safari on iOS',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
    'Safari on macOS',
  ],
  [`Mozilla/5.0 (Linux; Android 10; K) ${webkit} Chrome/142.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
  ['Mozilla/5.0 Firefox/145.0', 'Firefox'],
])('%s is %s', (userAgent, name) => {
  expect(browserNameOf(userAgent)).toBe(name);
});

const hostile = [
  ...['', ' ', '\t', 'x', '-', 'curl/8.16.0', 'Ada/1.0 (Windows NT 10.0)', '/'.repeat(512), '('.repeat(512)],
  ...['<script>alert(1)</script>/1.0 (x)', '"><img src=x onerror=alert(1)>/1 (Windows NT 10.0)'],
  ...['Your bank https://evil.example/1.0 (Windows)', '\u202eemorhC/1.0 (Windows)', 'Chr\u200bome/1.0 (x)'],
  ...[
    'A\r\nSet-Cookie: a=b/1.0 (x)',
    '\u0000/1.0 (x)',
    "'; DROP TABLE account; --/1.0 (x)",
    '\ud800/1.0 (x)',
  ],
  ...['__proto__/1.0 (x)', 'constructor/1.0 (x)', 'toString/1.0 (Windows)'],
];

test.each(hostile)('%j is no known browser', (userAgent) => {
  expect(browserNameOf(userAgent)).toBeUndefined();
});

test('a browser name contains nothing of the User-Agent [identity-1]', () => {
  const chrome = 'Chrome/142.0.0.0 Safari/537.36';
  for (const words of hostile)
    expect(browserNameOf(`Mozilla/5.0 (${words}) ${chrome} ${words}`)).toMatch(/^Chrome( on Windows)?$/);
  expect(browserNameOf(undefined)).toBeUndefined();
});

test.each(['(', '/', ' (', 'a/', 'Chrome/', 'Version/1.', 'Mozilla/5.0 (', '1.1', 'x;'])(
  'a User-Agent of many %j is parsed in milliseconds',
  (part) => {
    const before = process.cpuUsage();
    browserNameOf(part.repeat(512).slice(0, 512));
    // Microseconds of CPU time, which do not depend on other load of the machine; 100 times the usual value.
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
  },
);
