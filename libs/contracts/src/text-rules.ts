// What can be seen, and read as what it is. Unicode's own properties decide; the exceptions are what scripts and
// emoji need (Unicode TS 51 for emoji, RFC 5892 A.1 and A.2 for the joiners).

const seenNowhere = new RegExp(
  [
    String.raw`(?![\t\n\r])\p{Cc}`, // controls
    String.raw`\p{Co}`, // private use: every font shows something else
    String.raw`\p{Noncharacter_Code_Point}`,
    String.raw`\p{Default_Ignorable_Code_Point}`, // zero width, fillers, tags, selectors, direction marks
    String.raw`[\u2800\ufff9-\ufffc\u{1d159}]`, // blanks that Unicode counts as symbols: Braille, annotations, a note
  ].join('|'),
  'u',
);

const joiningScripts = [
  ...[
    'Arabic',
    'Syriac',
    'Mongolian',
    'Nko',
    'Mandaic',
    'Devanagari',
    'Bengali',
    'Gurmukhi',
    'Gujarati',
    'Oriya',
  ],
  ...['Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar', 'Tibetan'],
]
  .map((script) => String.raw`\p{Script_Extensions=${script}}`)
  .join('');

const usedProperly = new RegExp(
  [
    // A family, a flag in the wind: emoji joined to one.
    String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})`,
    // Persian and Indic spelling.
    String.raw`(?<=[${joiningScripts}])[\u200c\u200d](?![\u200c\u200d])`,
    // ❤ in colour or not, and keycaps.
    String.raw`(?<=(?![0-9#*])\p{Emoji})[\ufe0e\ufe0f]|(?<=[0-9#*])\ufe0f(?=\u20e3)`,
    // The form of a Han character, as names in Japan need it, and of a Mongolian letter.
    String.raw`(?<=\p{Unified_Ideograph})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]`,
    String.raw`(?<=\p{Script=Mongolian})[\u180b-\u180d\u180f]`,
    // The flags of England, Scotland and Wales.
    String.raw`(?<=\u{1f3f4})[\u{e0061}-\u{e007a}]{3,6}\u{e007f}`,
  ].join('|'),
  'gu',
);

const directionMarks = /[\u200e\u200f\u061c]/gu;
const rightToLeft =
  /(?=\p{L})[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** Whether `text` holds what nobody sees: controls, zero width, direction overrides, tags, blank symbols. */
export function hasInvisibleCharacters(text: string): boolean {
  const spelt = text.replace(usedProperly, '');
  // Between Hebrew and digits a mark keeps the order right; elsewhere it only makes two texts look like one.
  return seenNowhere.test(rightToLeft.test(text) ? spelt.replace(directionMarks, '') : spelt);
}

/** Whether marks are heaped on a letter until they cover the lines around it. No script needs five. */
export function hasStackedMarks(text: string): boolean {
  return /[\p{Mn}\p{Me}]{5,}/u.test(text);
}

/** Whether there is nothing to see. */
export function isBlank(text: string): boolean {
  return !/[\p{L}\p{N}\p{P}\p{S}]/u.test(text);
}
