import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { SocialLinksForm } from './creators.ts';
import { Link } from './fields.ts';
import { completeLink, completeSocialLink } from './typed-links.ts';

interface Typed {
  readonly in: string;
  readonly stored?: string;
  readonly message?: string;
}
const { cases } = JSON.parse(readFileSync(new URL('../cases/links.json', import.meta.url), 'utf8')) as {
  readonly cases: readonly Typed[];
};

describe('a typed link', () => {
  test.each(cases)('$in [contracts-12]', ({ in: typed, stored, message }) => {
    const { data, error } = Link.safeParse(typed);
    expect(data).toBe(stored);
    expect(error?.issues.map((issue) => issue.message)).toEqual(message && [message]);
    expect(Link.safeParse(stored).data).toBe(stored);
  });

  test('keeps its characters and only gets missing parts', () => {
    expect(completeLink(' bücher.example/a b ')).toBe('https://bücher.example/a b');
    expect(completeLink('https://bücher.example/a b')).toBe('https://bücher.example/a b');
    for (const other of [
      '',
      '@ada',
      'ada',
      'javascript:alert(1)',
      'a@b.example',
      'localhost:3000',
      '/a.b',
      'a..',
    ]) {
      expect(completeLink(other)).toBe(other);
    }
  });
});

describe('a completed link', () => {
  test.each([
    'e.co? ` ',
    'e.co*?) ,',
    '//https://e.co',
    '" e.co "',
    '(e.co) .',
    '// e.co',
    'https://e.co/a ).',
  ])('does not change when completed again: %s', (typed) => {
    const link = completeLink(typed);
    expect(completeLink(link)).toBe(link);
  });

  test('does not change when stored and read again', () => {
    const pieces = [
      'e.co',
      'https://',
      '//',
      'www.',
      '/',
      '?',
      '.',
      ',',
      ' ',
      '`',
      '"',
      "'",
      '(',
      ')',
      '*',
      '»',
      '&a;',
    ];
    // All combinations of up to three pieces around a host: 9,826.
    const rows = pieces.flatMap((a) =>
      pieces.flatMap((b) => pieces.flatMap((c) => [`${a}e.co${b}${c}`, `e.co${a}${b}${c}`])),
    );
    const stored = rows.flatMap((typed) => Link.safeParse(typed).data ?? []);
    expect(stored.length).toBeGreaterThan(rows.length / 2);
    expect(stored.filter((link) => Link.parse(link) !== link)).toEqual([]);
  });
});

describe('a typed link to a social network', () => {
  test.each([
    ['youtube', '@ada', 'https://www.youtube.com/@ada'],
    ['youtube', 'ada', 'https://www.youtube.com/@ada'],
    ['youtube', '@アダ', 'https://www.youtube.com/@%E3%82%A2%E3%83%80'],
    ['tiktok', ' @ada.l ', 'https://www.tiktok.com/@ada.l'],
    ['tiktok', 'martabinds', 'https://www.tiktok.com/@martabinds'],
    ['instagram', '@ada', 'https://www.instagram.com/ada'],
    ['instagram', 'martabinds', 'https://www.instagram.com/martabinds'],
    ['instagram', 'marta.binds', 'https://www.instagram.com/marta.binds'],
    ['instagram', '\u200e@ada\u2069', 'https://www.instagram.com/ada'],
    ['instagram', 'instagram.com/ada', 'https://instagram.com/ada'],
    ['youtube', 'www.youtube.com/@ada', 'https://www.youtube.com/@ada'],
    ['youtube', 'https://youtu.be/x', 'https://youtu.be/x'],
  ] as const)('%s: %s is stored as %s', (network, typed, stored) => {
    const field = SocialLinksForm.shape[network];
    expect(field.parse(typed)).toBe(stored);
    expect(field.parse(stored)).toBe(stored);
    expect(field.parse(completeSocialLink(network, typed))).toBe(stored);
  });

  test.each([
    ['youtube', 'vimeo.com/ada', 'Enter a link to YouTube.'],
    ['youtube', 'vimeo.com', 'Enter a link to YouTube.'],
    ['instagram', 'https://instagram.com.evil.example/ada', 'Enter a link to Instagram.'],
    ['tiktok', 'not a name', 'Enter a link that starts with http:// or https://.'],
    ['tiktok', 'javascript:alert(1)', 'Enter a link that starts with http:// or https://.'],
    [
      'youtube',
      'https://youtube.com:99999/',
      'The port 99999 in this link does not exist: the highest is 65535.',
    ],
    ['youtube', '', 'This field is required.'],
  ] as const)('%s: %s is refused', (network, typed, message) => {
    const issues = SocialLinksForm.shape[network].safeParse(typed).error?.issues;
    expect(issues?.map((issue) => issue.message)).toEqual([message]);
  });
});
