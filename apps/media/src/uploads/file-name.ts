// Fits the 255 bytes of file systems, with room for the ' (1)' of a second download.
const mostBytes = 200;
const fallback = 'download';

// Paths, characters that Windows refuses, control and format characters (bidirectional overrides hide the
// extension). Also unassigned characters, which Apple's file systems refuse, and characters without a common
// shape.
const invalid = String.raw`[\\/:*?"<>|\u2800\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Cn}\p{Default_Ignorable_Code_Point}]`;
/** Invisible characters that belong to the spelling, and visible format signs of Arabic and Syriac. */
const spelling = [
  // Joiners within a word or an emoji.
  String.raw`(?<=[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200c\u200d](?=[\p{L}\p{M}\p{Extended_Pictographic}])`,
  // Variants of an emoji, a Han character or a Mongolian letter, and regional flags.
  String.raw`(?<=\p{Emoji})[\ufe0e\ufe0f]|(?<=\p{Unified_Ideograph})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]`,
  String.raw`(?<=[\u1820-\u18aa])[\u180b-\u180f]|(?<=\u{1f3f4})[\u{e0061}-\u{e007a}]{3,6}\u{e007f}`,
  String.raw`[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2]`,
];
const invalidOrSpelling = new RegExp(`(${spelling.join('|')})|${invalid}`, 'gu');
/** Device names of Windows, with any extension. */
const device = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])[\s.]*(?:\.|$)/iu;
const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** A name that every system can save; it keeps its extension. */
export function safeFilename(given: string): string {
  const name = (given.toWellFormed().split(/[\\/]/).at(-1) ?? '').normalize('NFC');
  return withoutDeviceName(trimmed(shortened(trimmed(withoutInvalid(name))))) || fallback;
}

function withoutInvalid(name: string): string {
  return name.replace(invalidOrSpelling, (_, kept?: string) => kept ?? '_');
}

/**
 * Windows drops trailing dots and spaces. A leading dot hides a file elsewhere, and a leading dash begins an
 * option.
 */
function trimmed(name: string): string {
  return name.replace(/^[.\s]+|[.\s]+$/gu, '').replace(/^-/, '_');
}

function withoutDeviceName(name: string): string {
  return device.test(name) ? `_${name}` : name;
}

function shortened(name: string): string {
  if (Buffer.byteLength(name) <= mostBytes) return name;
  const [ending = ''] = /(?:\.tar)?\.[\p{L}\p{N}_-]{1,16}$/u.exec(name) ?? [];
  let kept = '';
  for (const { segment } of characters.segment(name.slice(0, name.length - ending.length))) {
    if (Buffer.byteLength(kept + segment + ending) > mostBytes) break;
    kept += segment;
  }
  return kept.trimEnd() + ending;
}

const mediaType = /^[\w.+-]+\/[\w.+-]+$/;

/** The browser's media type without parameters; binary when it is invalid. */
export function plainMediaType(given: string): string {
  const type = (given.split(';')[0] ?? '').trim().toLowerCase();
  return mediaType.test(type) ? type : 'application/octet-stream';
}
