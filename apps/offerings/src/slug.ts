import { foldText } from '@stoa/contracts';

// With its number it stays within `limits.slugLength`.
const longestBase = 60;
/** Letters that Unicode does not take apart. */
const inAscii: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' },
};
/** Words that the address of a profile goes on with already. */
const reserved = ['contact'];

/** What a title gives a slug: ASCII letters, digits and hyphens. The migration `slugs_of_before` does the same. */
export function slugBase(title: string): string {
  const plain = foldText(title).replace(/[^\0-\x7f]/g, (letter) => inAscii[letter] ?? letter);
  const words = trimmed(plain.replace(/['’]/g, '').replace(/[^a-z0-9]+/g, '-'));
  return trimmed(words.slice(0, longestBase)) || 'offering';
}

/** The first of `base`, `base-2`, `base-3` that is not taken. */
export function freeSlug(base: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const slug = number === 1 ? base : `${base}-${number}`;
    if (!taken.has(slug) && !reserved.includes(slug)) return slug;
  }
}

const trimmed = (slug: string) => slug.replace(/^-+|-+$/g, '');
