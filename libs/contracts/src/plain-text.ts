// Removes invisible characters from typed or pasted text by their Unicode properties. Scripts and emoji need exceptions
// (Unicode TS 51 for emoji, RFC 5892 A.1 and A.2 for the joiners).

const joiningScripts = [
  ...['Arabic', 'Syriac', 'Mongolian', 'Nko', 'Mandaic', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati'],
  ...['Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar', 'Tibetan'],
]
  .map((script) => String.raw`\p{Script_Extensions=${script}}`)
  .join('');

/** Invisible characters that change the visible text. */
const kept = [
  // Joined emoji, such as a family.
  String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})`,
  // Joiners in Persian and Indic spelling.
  String.raw`(?<=[${joiningScripts}])[\u200c\u200d]`,
  // The colour or text style of an emoji such as ❤, and keycaps.
  String.raw`(?<=(?![0-9#*])\p{Emoji})[\ufe0e\ufe0f]|(?<=[0-9#*])\ufe0f(?=\u20e3)`,
  // Variants of a Han character, which Japanese names need, and of a Mongolian letter.
  String.raw`(?<=\p{Unified_Ideograph})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]`,
  String.raw`(?<=[\u1820-\u18aa])[\u180b-\u180d\u180f]|(?<=[\u1820-\u18aa])\u180e(?=[\u1820-\u18aa])`,
  // The flags of England, Scotland and Wales.
  String.raw`(?<=\u{1f3f4})[\u{e0061}-\u{e007a}]{3,6}\u{e007f}`,
];

// NUL and lone surrogates stay here. They indicate corrupt data, so `unstorableProblem` refuses them.
const removed = [
  String.raw`(?![\0\t\n])\p{Cc}`, // controls
  String.raw`\p{Co}`, // private use: fonts differ in it
  String.raw`\p{Noncharacter_Code_Point}`,
  String.raw`\p{Default_Ignorable_Code_Point}`, // zero width, fillers, tags, selectors, direction marks and isolates
  String.raw`[\ufff9-\ufffc\u{1d159}]`, // anchors of annotations and objects, and a note without a head
];
// In right-to-left text a direction mark keeps digits in order. In other text it only makes two texts appear equal.
const directionMarks = String.raw`[\u200e\u200f\u061c]`;
const cleaner = (alsoKept: readonly string[]) =>
  new RegExp(`(${[...kept, ...alsoKept].join('|')})|${removed.join('|')}`, 'gu');
const leftToRight = cleaner([]);
const bothWays = cleaner([directionMarks]);
const rightToLeft =
  /(?=\p{L})[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** Rare line breaks of old word processors, mainframes and Unicode. No keyboard types them. */
const rareBreaks = /[\v\f\u0085\u2028\u2029]/g;
/** Spaces of other widths, and the Braille blank. U+202F after a Mongolian letter is part of the spelling and stays. */
const rareSpaces = /[\u00a0\u2000-\u200a\u205f\u2800]|(?<![\u1820-\u18aa])\u202f/g;

/**
 * Normalizes text of users: `\n` as line break, plain spaces, no invisible characters, NFC, trimmed. It is idempotent.
 * Length limits count the result.
 */
export function plainText(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n').replace(rareBreaks, '\n').replace(rareSpaces, ' ');
  let plain = lines.replace(/([\u200c\u200d])[\u200c\u200d]+/g, '$1');
  const cleaned = rightToLeft.test(plain) ? bothWays : leftToRight;
  // Repeats until nothing changes, because a removed character may have been the reason to keep its
  // neighbour.
  for (let before = ''; before !== plain;) {
    before = plain;
    plain = plain.replace(cleaned, '$1');
  }
  return plain.normalize('NFC').trim();
}

/** Normalizes one line. Tabs and rare line breaks become spaces. A `\n` stays, so that the schema can refuse it. */
export const plainLine = (text: string): string =>
  plainText(text.replace(rareBreaks, ' ').replace(/\t/g, ' '));

/** The problem of a text with NUL or a lone surrogate, by line and code point; undefined without one. */
export function unstorableProblem(text: string): string | undefined {
  const { index, 0: found = '' } = /\0|\p{Cs}/u.exec(text) ?? {};
  if (index === undefined) return undefined;
  return `Line ${lineOf(text, index)} contains ${codeOf(found)}, which cannot be stored.`;
}

/** Exempts up to `most` combining marks if all belong to `script`. */
const marksOf = (script: string, most: number) =>
  String.raw`(?!(?:(?=\p{M})\p{Script_Extensions=${script}}){1,${most}}(?!\p{M}))`;
/** Five or more marks on one letter. Tibetan stacks letters that are marks; Hebrew and Arabic add points and cantillation. */
const markStack = new RegExp(
  String.raw`(?:^|\P{M})${marksOf('Tibetan', 9)}${marksOf('Hebrew', 6)}${marksOf('Arabic', 6)}[\p{Mn}\p{Me}]{5,}`,
  'u',
);

/** The problem of a text with so many marks on a letter that they cover other lines; undefined without one. */
export function stackedMarksProblem(text: string): string | undefined {
  const { index, 0: found = '' } = markStack.exec(text) ?? {};
  if (index === undefined) return undefined;
  const line = lineOf(text, found.startsWith('\n') ? index + 1 : index);
  return `Line ${line} contains too many marks on one letter: ${codeOf(found.match(/\p{M}/u)?.[0] ?? '')} and more.`;
}

const lineOf = (text: string, index: number) => text.slice(0, index).split('\n').length;
const codeOf = (character: string) =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** Whether a text has no visible character. */
export function isBlank(text: string): boolean {
  return !/[\p{L}\p{N}\p{P}\p{S}]/u.test(text);
}
