import { expect, test } from '@jest/globals';
import { isUsedPayee, payeeOf } from './payees.ts';

const payee = 'https://buy.example.com/victim';

test.each([
  'https://buy.example.com/victim/',
  'https://buy.example.com/victim//',
  'https://www.buy.example.com/victim',
  'HTTPS://BUY.Example.COM/victim',
  'https://buy.example.com:443/victim',
  'https://buy.example.com./victim',
  'https://buy.example.com/%76ict%69m',
  'https://buy.example.com/x/../victim',
  'https://buy.example.com/victim?',
  'https://buy.example.com/victim#',
  'https://buy.example.com/victim?utm_source=mail&UTM_Medium=x&fbclid=1',
])('%s pays the same', (link) => {
  expect(payeeOf(link)).toBe(payee);
});

test.each([
  'http://buy.example.com/victim',
  'https://buy.example.com/mallory',
  'https://buy.example.com/victim/mallory',
  'https://buy.example.com/Victim',
  'https://buy.example.com/victim%2Fmallory',
  'https://buy.example.com/',
  'https://buy.example.com:8443/victim',
  'https://buy.example.com.evil.example/victim',
  'https://mallory.buy.example.com/victim',
  'https://buy.example.com/victim?business=mallory',
  'https://buy.example.com/victim?utm=mallory',
  'https://buy.example.com/victim#/mallory',
  String.raw`https://evil.example\@buy.example.com/victim`,
])('%s has another payee [contracts-3]', (link) => {
  expect(payeeOf(link)).not.toBe(payee);
});

test('different queries of invalid UTF-8 have different payees', () => {
  expect(payeeOf('https://pay.example/?to=%fe')).not.toBe(payeeOf('https://pay.example/?to=%ff'));
});

test.each([
  ['https://pay.example/a%2fb', 'https://pay.example/a%2Fb'],
  ['https://pay.example/caf%c3%a9', 'https://pay.example/café'],
  ['https://pay.example/?b=2&a=1', 'https://pay.example?a=1&b=2'],
  ['https://pay.example/?to=a+b', 'https://pay.example?to=a%20b'],
  ['https://münze.example/a', 'https://xn--mnze-0ra.example/a'],
])('%s and %s are one', (one, other) => {
  expect(payeeOf(one)).toBe(payeeOf(other));
});

test.each([
  'https://www.pay.example.:8443/caf%c3%a9/?to=a+b&x=%2f#/m%41',
  'https://www.com/x',
  'https://www.www.pay.example/x',
  'http://pay.example',
  'https://pay.example/?a=1&a=0',
  'https://pay.example/?to=%fe&b=1',
])('normalizing the payee of %s is idempotent', (link) => {
  const once = payeeOf(link) ?? '';
  expect(payeeOf(once)).toBe(once);
});

test.each(['', 'pay.example', 'javascript:alert(1)', 'mailto:a@pay.example', 'https://'])(
  '%s has no payee',
  (link) => {
    expect(payeeOf(link)).toBeNull();
  },
);

test.each([
  ['the same', payee, [payee], true],
  ['with encryption now', payee, ['http://buy.example.com/victim'], true],
  ['without encryption now', 'http://buy.example.com/victim', [payee], false],
  ['back to no encryption', 'http://buy.example.com/victim', [payee, 'http://buy.example.com/victim'], false],
  ['still without encryption', 'http://buy.example.com/victim', ['http://buy.example.com/victim'], true],
  ['another one', payee, ['https://buy.example.com/mallory'], false],
  ['the first of all', payee, [], false],
])('a payee is recognized as used: %s', (_, asked, used, answer) => {
  expect(isUsedPayee(asked, new Set(used))).toBe(answer);
});
