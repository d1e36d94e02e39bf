import anyAscii from 'any-ascii';

// Leaves room for a number within `limits.slugLength`.
const longestBase = 60;
/** Path segments that other pages below a profile use. */
const reserved = ['contact'];
/** Addresses may contain the id instead of the slug. */
const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
// Includes skin tones, joiners and variation selectors, which any-ascii would spell out.
const emoji = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\u200d|\ufe0f|\u20e3/gu;

/** The slug of a title: ASCII letters, digits and hyphens. Other scripts are transliterated; each Han character is a word. */
export function slugBase(title: string): string {
  const spelt = title
    .normalize('NFKC')
    .replace(emoji, ' ')
    .replace(/\p{Script=Han}/gu, (character) => ` ${anyAscii(character)} `);
  const plain = anyAscii(spelt).toLowerCase();
  const words = trimmed(plain.replace(/['’`]/g, '').replace(/[^a-z0-9]+/g, '-'));
  return trimmed(words.slice(0, longestBase)) || 'offering';
}

/** The first of `base`, `base-2`, `base-3` that is not taken. */
export function freeSlug(base: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const slug = number === 1 ? base : `${base}-${number}`;
    if (!taken.has(slug) && !reserved.includes(slug) && !isId.test(slug)) return slug;
  }
}

const trimmed = (slug: string) => slug.replace(/^-+|-+$/g, '');
