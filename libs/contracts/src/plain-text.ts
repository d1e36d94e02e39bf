// What a text keeps of what was typed or pasted. Unicode's own properties decide; the exceptions are what scripts and
// emoji need (Unicode TS 51 for emoji, RFC 5892 A.1 and A.2 for the joiners).

const joiningScripts = [
  ...['Arabic', 'Syriac', 'Mongolian', 'Nko', 'Mandaic', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati'],
  ...['Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar', 'Tibetan'],
]
  .map((script) => String.raw`\p{Script_Extensions=${script}}`)
  .join('');

/** Invisible characters that belong to what is seen. */
const kept = [
  // A family, a flag in the wind: emoji joined to one.
  String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})`,
  // Persian and Indic spelling.
  String.raw`(?<=[${joiningScripts}])[\u200c\u200d]`,
  // ❤ in colour or not, and keycaps.
  String.raw`(?<=(?![0-9#*])\p{Emoji})[\ufe0e\ufe0f]|(?<=[0-9#*])\ufe0f(?=\u20e3)`,
  // The form of a Han character, as names in Japan need it, and of a Mongolian letter.
  String.raw`(?<=\p{Unified_Ideograph})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]`,
  String.raw`(?<=[\u1820-\u18aa])[\u180b-\u180d\u180f]|(?<=[\u1820-\u18aa])\u180e(?=[\u1820-\u18aa])`,
  // The flags of England, Scotland and Wales.
  String.raw`(?<=\u{1f3f4})[\u{e0061}-\u{e007a}]{3,6}\u{e007f}`,
];

// NUL and halves of surrogate pairs stay: they are no character to remove but a sign of broken data, and are refused.
const removed = [
  String.raw`(?![\0\t\n])\p{Cc}`, // controls
  String.raw`\p{Co}`, // private use: every font shows something else
  String.raw`\p{Noncharacter_Code_Point}`,
  String.raw`\p{Default_Ignorable_Code_Point}`, // zero width, fillers, tags, selectors, direction marks and isolates
  String.raw`[\ufff9-\ufffc\u{1d159}]`, // anchors of annotations and objects, and a note without a head
];
// Between Hebrew and digits a mark keeps the order right; elsewhere it only makes two texts look like one.
const directionMarks = String.raw`[\u200e\u200f\u061c]`;
const cleaner = (alsoKept: readonly string[]) =>
  new RegExp(`(${[...kept, ...alsoKept].join('|')})|${removed.join('|')}`, 'gu');
const leftToRight = cleaner([]);
const bothWays = cleaner([directionMarks]);
const rightToLeft =
  /(?=\p{L})[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** Line breaks that only some programs know: of old word processors, of mainframes, and Unicode's own two. */
const oddBreaks = /[\v\f\u0085\u2028\u2029]/g;
/** Blanks of other widths, and the one of Braille. That of Mongolian stands before a suffix and is part of the spelling. */
const oddBlanks = /[\u00a0\u2000-\u200a\u205f\u2800]|(?<![\u1820-\u18aa])\u202f/g;

/**
 * The one form of every text that people write here: line breaks as `\n`, blanks as blanks, without what nobody sees, in
 * Unicode's composed form (NFC), trimmed. Running it twice changes nothing. Limits count what it leaves.
 */
export function plainText(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n').replace(oddBreaks, '\n').replace(oddBlanks, ' ');
  let plain = lines.replace(/([\u200c\u200d])[\u200c\u200d]+/g, '$1');
  const cleaned = rightToLeft.test(plain) ? bothWays : leftToRight;
  // What is removed may have been what kept its neighbour.
  for (let before = ''; before !== plain;) {
    before = plain;
    plain = plain.replace(cleaned, '$1');
  }
  return plain.normalize('NFC').trim();
}

/** The same for one line. A tab and the breaks that no keyboard types become blanks; a real line break stays, to be refused. */
export const plainLine = (text: string): string =>
  plainText(text.replace(oddBreaks, ' ').replace(/\t/g, ' '));

/** What of a text cannot be stored, by its place and its number in Unicode; undefined where all of it can. */
export function unstorable(text: string): string | undefined {
  const { index, 0: found = '' } = /\0|\p{Cs}/u.exec(text) ?? {};
  if (index === undefined) return undefined;
  return `Line ${lineOf(text, index)} contains ${codeOf(found)}, which cannot be stored.`;
}

/** What says where marks are heaped on a letter until they cover the lines around it. No script needs five. */
export function stackedMarks(text: string): string | undefined {
  const { index, 0: found = '' } = /(?:^|\P{M})[\p{Mn}\p{Me}]{5,}/u.exec(text) ?? {};
  if (index === undefined) return undefined;
  const line = lineOf(text, found.startsWith('\n') ? index + 1 : index);
  return `Line ${line} contains too many marks on one letter: ${codeOf(found.match(/\p{M}/u)?.[0] ?? '')} and more.`;
}

const lineOf = (text: string, index: number) => text.slice(0, index).split('\n').length;
const codeOf = (character: string) =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** Whether there is nothing to see. */
export function isBlank(text: string): boolean {
  return !/[\p{L}\p{N}\p{P}\p{S}]/u.test(text);
}
