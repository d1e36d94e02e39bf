import { describe, expect, test } from '@jest/globals';
import { Link } from './fields.ts';
import { displayHost, isOnNetwork, isPublicHost } from './links.ts';

describe('a link', () => {
  test.each([
    ['https://evil.example\\@paypal.com', 'https://evil.example/@paypal.com'],
    ['HTTPS://EXAMPLE.COM', 'https://example.com/'],
    ['https://paypal.com:443/a/../b', 'https://paypal.com/b'],
    ['https://раураl.com', 'https://xn--l-7sba6dbr.com/'],
    ['https://ｐａｙｐａｌ.com/', 'https://paypal.com/'],
    ['https://example.com/?q=a b'.replace(' ', '%20'), 'https://example.com/?q=a%20b'],
    ['http://0x7f000001/', 'http://127.0.0.1/'],
  ])('%s is stored as %s', (typed, stored) => {
    expect(Link.parse(typed)).toBe(stored);
    expect(Link.parse(stored)).toBe(stored);
  });

  test('is limited in its stored form', () => {
    expect(Link.safeParse(`https://example.com/${'ä'.repeat(1000)}`).success).toBe(false);
  });
});

describe('a host', () => {
  test.each([
    ...[
      'http://localhost/',
      'http://localhost./',
      'http://a.localhost/',
      'http://intranet/',
      'http://db.local',
    ],
    ...[
      'http://127.0.0.1',
      'http://127.1',
      'http://2130706433',
      'http://0x7f.1',
      'http://0177.0.0.1',
      'http://0/',
    ],
    ...[
      'http://127.0.0.1./',
      'http://１２７.０.０.１/',
      'http://10.0.0.1',
      'http://172.16.3.4',
      'http://192.168.1.1',
    ],
    ...[
      'http://169.254.169.254/latest/meta-data',
      'http://224.0.0.1',
      'http://100.64.0.1',
      'http://93.184.216.34',
    ],
    ...[
      'http://[::1]',
      'http://[::]',
      'http://[::ffff:127.0.0.1]',
      'http://[::ffff:7f00:1]',
      'http://[fe80::1]',
    ],
    ...['http://[fd00::1]', 'http://[ff02::1]', 'http://[64:ff9b::7f00:1]', 'http://[2002:7f00:1::]'],
    ...['http://metadata.google.internal', 'http://router.home.arpa', 'http://home.arpa', 'http://pay.test'],
    ...[
      'http://a.invalid',
      'http://a.onion',
      'http://a.example',
      'http://nas.lan',
      'http://a..com',
      'no link',
    ],
  ])('%s is private', (link) => expect(isPublicHost(link)).toBe(false));

  test.each([
    ...[
      'https://paypal.com',
      'https://www.paypal.com./x',
      'https://example.com',
      'https://xn--e1afmkfd.xn--p1ai',
    ],
    ...['https://localhost.com', 'https://test.dev', 'https://1.2.3.4.com', 'https://пример.рф'],
  ])('%s is public', (link) => expect(isPublicHost(link)).toBe(true));

  test.each([
    ['https://www.paypal.com/me', 'paypal.com'],
    ['https://paypal.com.evil.net:8443/', 'paypal.com.evil.net:8443'],
    ['https://раураl.com/', 'xn--l-7sba6dbr.com'],
    ['https://evil.net\\@paypal.com', 'evil.net'],
    ['javascript:alert(1)', null],
    ['no link', null],
  ])('of %s is shown as %s', (link, shown) => expect(displayHost(link as string)).toBe(shown));
});

describe('a social link', () => {
  test.each([
    ['youtube', 'https://www.youtube.com/@ada', true],
    ['youtube', 'https://youtu.be/x', true],
    ['youtube', 'https://m.youtube.com/@ada', true],
    ['youtube', 'https://youtube.com.evil.net/@ada', false],
    ['youtube', 'https://notyoutube.com/', false],
    ['tiktok', 'https://www.tiktok.com/@ada', true],
    ['tiktok', 'https://instagram.com/ada', false],
    ['instagram', 'https://instagram.com/ada', true],
    ['youtube', 'javascript://youtube.com/%0aalert(1)', false],
    ['youtube', 'https://youtube.com@evil.net/', false],
    ['youtube', 'no link', false],
  ] as const)('%s: %s %s', (network, link, theirs) => expect(isOnNetwork(network, link)).toBe(theirs));
});
