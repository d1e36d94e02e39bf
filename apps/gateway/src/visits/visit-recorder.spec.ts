import { expect, test } from '@jest/globals';
import { isCounted } from './visit-recorder.ts';

const chrome =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

test("a person's browser is counted", () => {
  expect(isCounted({ headers: { 'user-agent': chrome } })).toBe(true);
  expect(isCounted({ headers: { 'user-agent': chrome, 'sec-fetch-site': 'same-origin' } })).toBe(true);
});

test.each([
  ['Do Not Track', { dnt: '1' }],
  ['Global Privacy Control', { 'sec-gpc': '1' }],
  ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
])('%s is not counted [gateway-17]', (_, header) => {
  expect(isCounted({ headers: { 'user-agent': chrome, ...header } })).toBe(false);
});

test.each([
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'facebookexternalhit/1.1',
  'curl/8.14.1',
  chrome.replace('Chrome', 'HeadlessChrome'),
  undefined,
])('the program %s is not counted [gateway-18]', (userAgent) => {
  expect(isCounted({ headers: { 'user-agent': userAgent } })).toBe(false);
});
