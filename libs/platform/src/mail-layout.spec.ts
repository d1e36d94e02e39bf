import { expect, test } from '@jest/globals';
import { greetingOf, layOutMail, senderOf } from './mail-layout.ts';

const mail = {
  subject: 'Words <b>&',
  parts: [
    'Hello,',
    { quote: '<img src=x onerror=alert(1)>\n"& \'' },
    { action: 'Open <it>', url: 'https://stoa.test/a?b=1&c#d' },
  ],
  footer: 'Stoa <home>',
};

test('the text has every part once, and the address in place of the button', () => {
  expect(layOutMail(mail).text).toBe(
    'Hello,\n\n<img src=x onerror=alert(1)>\n"& \'\n\nhttps://stoa.test/a?b=1&c#d\n\n-- \nStoa <home>\n',
  );
  expect(layOutMail({ subject: 'S', parts: ['One', { quote: 'two' }] }).text).toBe('One\n\ntwo\n');
});

test('hostile words are text in HTML, and nothing is loaded from anywhere [platform-1]', () => {
  const { html } = layOutMail(mail);
  expect(html).toContain('<title>Words &lt;b&gt;&amp;</title>');
  expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;\n&quot;&amp; &#39;');
  expect(html).toContain('href="https://stoa.test/a?b=1&amp;c#d"');
  expect(html).toContain('Open &lt;it&gt;</a>');
  expect(html).not.toMatch(/<(img|link|script|iframe|object)|src=["']|url\(|@import/);
});

test('the HTML fits a narrow screen and has dark mode colours', () => {
  const { html } = layOutMail(mail);
  expect(html).toContain('width=device-width');
  expect(html).toContain('max-width:520px');
  expect(html).toContain('(prefers-color-scheme: dark)');
});

test.each([
  ...[
    'Marta',
    'Zoë Sørberg',
    '田中 太郎',
    'J. R. R. Tolkien',
    'Dr. No',
    'Marta: poems',
    'Ana / Ben',
    'Ada <b>& Co</b>',
  ],
  ...['A.B.', "Seán O'Brien", 'Marta 🎶', 'm'.repeat(80)],
  ...['J.R.R. Tolkien', 'Dr. Ada', 'मीरा. नायर', 'Ada_', 'A_B', '🎶 Marta', 'C++', 'J.ö.'],
])('the owner is greeted by the name %s', (name) => {
  expect(greetingOf(name)).toBe(`Hello ${name},`);
});

test.each([
  null,
  '',
  ' ',
  'http://evil.example',
  'HTTPS://EVIL',
  'evil.example',
  'Win at evil.example now',
  'www.evil.xn--p1ai',
  'evil\u3002example',
  'evil\uff0eexample',
  'ev\u200bil.example',
  '10.20.30.40',
  'Ms.Smith',
  'बैंक.कॉम',
  'ஸ்டோ.இந்தியா',
  'यूनिकोड.भारत',
  'क\u094d\u200d.com',
  'ไทย.คอม',
  'i❤.ws',
  'i❤\ufe0f.ws',
  '☃.net',
  '💩.la',
  'a_.com',
  '_dmarc._example',
  'win.☃☃',
  'x.e\u0301s',
  'बैंक。कॉम',
  'mailto:eve',
  'tel:0800123',
  'eve@evil',
  'Marta\nBcc: all@evil.example',
  'Marta\r\n\r\nYour account is locked',
  'Mar\u0000ta',
  '\u200b',
  'm'.repeat(81),
  'm'.repeat(100),
  'Stoa Support',
])('the name %j is no part of a greeting [platform-2]', (name) => {
  expect(greetingOf(name)).toBe('Hello,');
});

test('a direction mark does not reverse a mail', () => {
  expect(greetingOf('Mar\u202eta')).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  expect(greetingOf('Mar\u200eta')).toBe('Hello Marta,');
});

test.each([
  ['no-reply@stoa.test', { name: 'Stoa', address: 'no-reply@stoa.test' }],
  ['Stoa Post <no-reply@stoa.test>', { name: 'Stoa Post', address: 'no-reply@stoa.test' }],
  ['"Stoa, Inc." <no-reply@stoa.test>', { name: 'Stoa, Inc.', address: 'no-reply@stoa.test' }],
  ['<no-reply@stoa.test>', { name: 'Stoa', address: 'no-reply@stoa.test' }],
])('mail set to be from %s has a name and an address', (from, sender) => {
  expect(senderOf(from)).toEqual(sender);
});
