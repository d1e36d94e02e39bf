// File systems allow 255 bytes. The rest is for the ' (1)' that browsers append to a second download.
const mostBytes = 200;
const fallback = 'download';

// Path separators, characters that Windows or Apple refuse, and invisible ones, which may disguise the
// extension.
const invalid = String.raw`[\\/:*?"<>|\u2800\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Cn}\p{Default_Ignorable_Code_Point}]`;
/** Invisible characters that are allowed, because they are part of the spelling of a word or an emoji. */
const spelling = [
  String.raw`(?<=[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200c\u200d](?=[\p{L}\p{M}\p{Extended_Pictographic}])`,
  // Variants of an emoji, a Han character or a Mongolian letter, and regional flags.
  String.raw`(?<=\p{Emoji})[\ufe0e\ufe0f]|(?<=\p{Unified_Ideograph})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]`,
  String.raw`(?<=[\u1820-\u18aa])[\u180b-\u180f]|(?<=\u{1f3f4})[\u{e0061}-\u{e007a}]{3,6}\u{e007f}`,
  String.raw`[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2]`,
];
const invalidOrSpelling = new RegExp(`(${spelling.join('|')})|${invalid}`, 'gu');
/** Device names of Windows, which are invalid as file names with any extension. */
const device = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])[\s.]*(?:\.|$)/iu;
const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Converts a name into one that every operating system can store. The extension stays. */
export function safeFilename(given: string): string {
  const name = (given.toWellFormed().split(/[\\/]/).at(-1) ?? '').normalize('NFC');
  return withoutDeviceName(trimmed(shortened(trimmed(withoutInvalid(name))))) || fallback;
}

function withoutInvalid(name: string): string {
  return name.replace(invalidOrSpelling, (_, kept?: string) => kept ?? '_');
}

/**
 * Removes dots and spaces at the ends: Windows drops trailing ones, and a leading dot hides the file
 * elsewhere. Replaces a leading dash, because programs take it for an option.
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

/** The media type that the browser sent, without parameters; `application/octet-stream` if it is invalid. */
export function plainMediaType(given: string): string {
  const type = (given.split(';')[0] ?? '').trim().toLowerCase();
  return mediaType.test(type) ? type : 'application/octet-stream';
}
