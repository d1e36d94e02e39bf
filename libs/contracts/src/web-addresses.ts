// Where a web address ends, in texts and in fields for links alike.

// Punctuation of scripts without blanks ends an address wherever it stands; round brackets do unless they are a pair.
const stops = String.raw`\s\p{Cc}<>"“”„«»‹›\u3001-\u3003\u3008-\u3011\u3014-\u301f！（），．：；？［］｛｝｡｢｣､`;
const extent = new RegExp(`^(?:[^${stops}]|（[^${stops}]*）)+`, 'u');
// What ends a sentence or a quotation in any script.
const trailing = /(?:&[a-z0-9]+;|[\p{Terminal_Punctuation}…–—|\\`´]|(?!["'])\p{Quotation_Mark})+$/iu;
/** A straight quotation mark may be part of a value, and then has another one before it. */
const straightQuote = /["']$/;
/** The marks of formats, which end an address in a text that has formats. */
const marks = /[*_~]+$/;
/** What opens a quotation or a bracket before an address. */
const leading = /^[\p{Ps}\p{Pi}\p{Quotation_Mark}]+/u;
const openings: Readonly<Record<string, string>> = {
  ')': '(',
  ']': '[',
  '}': '{',
  '>': '<',
  '）': '（',
  '］': '［',
  '｝': '｛',
};

/** The address at the beginning of a text, without what only ends the sentence (GitHub Flavored Markdown 6.9). */
export function addressAt(text: string): string | undefined {
  let [address = ''] = extent.exec(text) ?? [];
  for (let before = ''; before !== address;) {
    before = address;
    address = withoutEnd(address).replace(marks, '');
  }
  return /^(?:https?:\/\/|www\.)./i.test(address) ? address : undefined;
}

/** A link that was copied with the end of its sentence, or with the quotation or the brackets around it, without them. */
export const withoutSentence = (link: string): string => withoutEnd(link.replace(leading, ''));

function withoutEnd(address: string): string {
  let left = address;
  for (let before = ''; before !== left;) {
    before = left;
    left = left.replace(trailing, '');
    if (closesTooMuch(left) || isSingleQuote(left)) left = left.slice(0, -1);
  }
  return left;
}

/** Whether the last character is a bracket that closes more than was opened. */
function closesTooMuch(address: string): boolean {
  const last = address.at(-1) ?? '';
  const opening = openings[last];
  if (opening === undefined) return false;
  return address.split(last).length > address.split(opening).length;
}

const isSingleQuote = (address: string): boolean => {
  const [quote] = straightQuote.exec(address) ?? [];
  return quote !== undefined && address.split(quote).length % 2 === 0;
};
