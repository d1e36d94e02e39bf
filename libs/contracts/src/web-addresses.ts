// Where a web address ends, in texts and in fields for links alike.

// Punctuation of scripts without blanks ends an address wherever it stands; round brackets do unless they are a pair.
const stops = String.raw`\s\p{Cc}<>"“”„«»‹›\u3001-\u3003\u3008-\u3011\u3014-\u301f！（），．：；？［］｛｝｡｢｣､`;
const extent = new RegExp(`^(?:[^${stops}]|（[^${stops}]*）)+`, 'u');
/** A character that ends a sentence or a quotation in any script. Straight quotation marks have a rule of their own. */
const endsSentence = /(?:[\p{Terminal_Punctuation}…–—|\\`´]|(?!["'])\p{Quotation_Mark})$/u;
/** A mark of the formats, which ends an address in a text that has formats. */
const mark = /[*_~]$/;
const blank = /\s$/;
/** What opens a quotation or a bracket before an address. */
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
/** The brackets, and the straight quotation marks, which may be part of a value and then have another one before them. */
const paired = /["'()[\]{}<>（）［］｛｝]/g;

/** Where the host of an address may end at the latest. A name of the DNS has at most 253 characters. */
const hostEnd = 300;

/** The address at the beginning of a text, without what only ends the sentence (GitHub Flavored Markdown 6.9), and its link. */
export function addressAt(text: string): { link: string; text: string } | undefined {
  // A text of addresses without a host would be read from each of them to its end, so the host comes first.
  const [head = ''] = extent.exec(text.slice(0, hostEnd)) ?? [];
  const [beginning = ''] = /^(?:https?:\/\/)?[^/?#\\]+/i.exec(head) ?? [];
  if (beginning.length === hostEnd) return undefined;
  if (!linkOf(beginning) && !linkOf(withoutEnd(beginning, mark))) return undefined;
  const [whole = ''] = extent.exec(text) ?? [];
  const address = withoutEnd(whole, mark);
  const link = linkOf(address);
  return link === undefined ? undefined : { link, text: address };
}

/** The link of an address whose host has a dot. A reader of `https://paypal.com@evil.example` expects another host. */
function linkOf(address: string): string | undefined {
  const link = /^www\./i.test(address) ? `https://${address}` : address;
  const { hostname = '', username = '', password = '' } = URL.parse(link) ?? {};
  return hostname.includes('.') && username + password === '' ? link : undefined;
}

/** A link that was copied with the end of its sentence, or with the quotation or the brackets around it, without them. */
export const withoutSentence = (link: string): string => withoutEnd(link.replace(leading, ''), blank);

/** Counts what is paired once and walks from the right: a long row of signs may not take quadratic time. */
function withoutEnd(address: string, more: RegExp): string {
  const counts = new Map<string, number>();
  const countOf = (sign: string) => counts.get(sign) ?? 0;
  for (const [sign] of address.matchAll(paired)) counts.set(sign, countOf(sign) + 1);
  let end = address.length;
  for (;;) {
    const last = address.charAt(end - 1);
    // A character beyond the first 65,536 is two units long.
    const tail = address.slice(Math.max(0, end - 2), end);
    if (closesTooMuch(last, countOf)) counts.set(last, countOf(last) - 1);
    else if (!endsSentence.test(tail) && !more.test(tail)) return address.slice(0, end);
    end -= last === ';' ? entityLength(address, end) : lengthOfLast(tail);
  }
}

const lengthOfLast = (tail: string): number => (/[\u{10000}-\u{10ffff}]$/u.test(tail) ? 2 : 1);

/** Whether this is a bracket that closes more than was opened, or a quotation mark without another one. */
function closesTooMuch(sign: string, countOf: (sign: string) => number): boolean {
  if (sign === '"' || sign === "'") return countOf(sign) % 2 === 1;
  const opening = openings[sign];
  return opening !== undefined && countOf(sign) > countOf(opening);
}

/** How long a character reference such as `&amp;` is that ends at `end`; 1 for a semicolon alone. */
function entityLength(address: string, end: number): number {
  let start = end - 1;
  while (/[a-z0-9]/i.test(address.charAt(start - 1))) start -= 1;
  return start < end - 1 && address.charAt(start - 1) === '&' ? end - start + 1 : 1;
}
