// Finds the end of a web address, both in texts and in fields for links.

// In scripts without spaces a sentence continues directly after an address, so their punctuation always ends it. Dashes,
// ellipses and other scripts' punctuation also end it, but not before `_`: Arabic titles on Wikipedia contain `،_`.
const stops = String.raw`\s\p{Cc}<>"“”„«»‹›\u3001-\u3003\u3008-\u3011\u3014-\u301f！（），．：；？［］｛｝｡｢｣､`;
const marks = String.raw`(?:(?![\0-\x7f])\p{Terminal_Punctuation}|[…⋯—―⸺⸻～])(?!_)`;
const part = `(?:(?!${marks})[^${stops}])`;
// Full-width brackets belong to an address if it ends or continues after them. Otherwise the sentence continues.
const extent = new RegExp(`^${part}+(?:（[^${stops}]*）(?=$|[\\s/?#&_])${part}*)*`, 'u');
/** A character that ends a sentence or a quotation in any script. `closesTooMuch` handles straight quotation marks. */
const endsSentence = /(?:[\p{Terminal_Punctuation}…–—|\\`´]|(?!["'])\p{Quotation_Mark})$/u;
/** A formatting mark, which ends an address in formatted text. */
const mark = /[*_~]$/;
const blank = /\s$/;
/** Opening quotation marks and brackets before an address. */
const leading = /^[\s\p{Ps}\p{Pi}\p{Quotation_Mark}]+/u;
const openings: Readonly<Record<string, string>> = {
  ')': '(',
  ']': '[',
  '}': '{',
  '>': '<',
  '）': '（',
  '］': '［',
  '｝': '｛',
};
/** Brackets and straight quotation marks. They are part of an address if their counterpart is. */
const paired = /["'()[\]{}<>（）［］｛｝]/g;

/** The latest end of the host in an address. A DNS name has at most 253 characters. */
const hostEnd = 300;

/** The address at the start of a text with its link, without trailing punctuation (GitHub Flavored Markdown 6.9). */
export function addressAt(text: string): { link: string; text: string } | undefined {
  // Checks the host first. Otherwise each address without a host would be read to the end of the text.
  const [head = ''] = extent.exec(text.slice(0, hostEnd)) ?? [];
  const [beginning = ''] = /^(?:https?:\/\/)?[^/?#\\]+/i.exec(head) ?? [];
  if (beginning.length === hostEnd) return undefined;
  if (!linkOf(beginning) && !linkOf(withoutEnd(beginning, mark))) return undefined;
  const [whole = ''] = extent.exec(text) ?? [];
  const address = withoutEnd(whole, mark);
  const link = linkOf(address);
  return link === undefined ? undefined : { link, text: address };
}

/** The link of an address whose host has a dot. Credentials are refused: `https://paypal.com@evil.example` misleads. */
function linkOf(address: string): string | undefined {
  const link = /^www\./i.test(address) ? `https://${address}` : address;
  const { hostname = '', username = '', password = '' } = URL.parse(link) ?? {};
  return hostname.includes('.') && username + password === '' ? link : undefined;
}

/**
 * Removes the punctuation, quotation marks or brackets that were copied with a link. A `!` after the host stays, because
 * some paths end with one.
 */
export function withoutPunctuation(typed: string): string {
  const link = typed.replace(leading, '');
  return withoutEnd(link, blank, /(?:^|\/\/)(?!https?:)[^/?#]+[/?#]/i.test(link) ? '!' : undefined);
}

/** Counts the paired characters once and scans from the right, so that long runs of them take linear time. */
function withoutEnd(address: string, more: RegExp, kept?: string): string {
  const counts = new Map<string, number>();
  const countOf = (sign: string) => counts.get(sign) ?? 0;
  for (const [sign] of address.matchAll(paired)) counts.set(sign, countOf(sign) + 1);
  let end = address.length;
  for (;;) {
    const last = address.charAt(end - 1);
    // Takes two code units, because a character above U+FFFF has two.
    const tail = address.slice(Math.max(0, end - 2), end);
    if (last !== '' && last === kept) return address.slice(0, end);
    if (closesTooMuch(last, countOf)) counts.set(last, countOf(last) - 1);
    else if (!endsSentence.test(tail) && !more.test(tail)) return address.slice(0, end);
    end -= last === ';' ? entityLength(address, end) : lengthOfLast(tail);
  }
}

const lengthOfLast = (tail: string): number => (/[\u{10000}-\u{10ffff}]$/u.test(tail) ? 2 : 1);

/** Whether this is a closing bracket without an opening one, or an unpaired quotation mark. */
function closesTooMuch(sign: string, countOf: (sign: string) => number): boolean {
  if (sign === '"' || sign === "'") return countOf(sign) % 2 === 1;
  const opening = openings[sign];
  return opening !== undefined && countOf(sign) > countOf(opening);
}

/** The length of a character reference such as `&amp;` that ends at `end`; 1 for a plain semicolon. */
function entityLength(address: string, end: number): number {
  let start = end - 1;
  while (/[a-z0-9]/i.test(address.charAt(start - 1))) start -= 1;
  return start < end - 1 && address.charAt(start - 1) === '&' ? end - start + 1 : 1;
}
