import { describe, expect, test } from '@jest/globals';
import { Link, requiredLine, text } from './fields.ts';

describe('Link', () => {
  test.each([
    'https://example.com/a?b=c#d',
    'http://example.com',
    'HTTPS://EXAMPLE.COM',
    'https://пример.рф/',
  ])('takes %s', (link) => expect(Link.safeParse(link).success).toBe(true));
  test.each([
    '',
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://example.com',
    'https://',
    'https://user@example.com',
    'https://user:pass@example.com',
    'https://exa mple.com',
    `https://example.com/${'a'.repeat(2048)}`,
    'https://e.com/\u0000',
  ])('refuses %j', (link) => expect(Link.safeParse(link).success).toBe(false));
});

test.each(['https://user@example.com', 'https://user:pass@example.com'])(
  'the message for %s names the credentials [contracts-1]',
  (link) =>
    expect(Link.safeParse(link).error?.issues.map(({ message }) => message)).toEqual([
      'Leave out the name and password before the @ of this link.',
    ]),
);

describe('text', () => {
  const family = '👩‍👩‍👧‍👦';

  test('counts grapheme clusters', () => {
    expect(text(3).safeParse(family.repeat(3)).success).toBe(true);
    expect(text(3).safeParse(family.repeat(4)).success).toBe(false);
    expect(text(1).safeParse('e\u0301').success).toBe(true);
  });

  test('is idempotent', () => {
    const once = text(20).parse('  padded  ');
    expect(text(20).parse(once)).toBe(once);
  });

  test('keeps line breaks, and a single line refuses them', () => {
    expect(text(20).safeParse('a\nb').success).toBe(true);
    expect(requiredLine(20).safeParse('a\nb').success).toBe(false);
  });

  test('counts white space as empty', () => {
    expect(requiredLine(20).safeParse(' \t ').error?.issues[0]?.message).toBe('This field is required.');
  });
});
