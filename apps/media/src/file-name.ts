// Fits the 255 bytes that file systems allow, with room for the ' (1)' of a second download.
const mostBytes = 200;
const fallback = 'download';

// A path, what Windows refuses, control and format characters (bidirectional overrides hide a real ending).
const unfit = /[\\/:*?"<>|]|\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/gu;

/** A name that is safe to save under on every system; it keeps its ending. */
export function safeFilename(given: string): string {
  const name = (given.toWellFormed().split(/[\\/]/).at(-1) ?? '')
    .normalize('NFC')
    .replace(unfit, '_')
    // Windows drops dots and blanks at the end, and a dot in front hides a file elsewhere.
    .replace(/^[.\s]+|[.\s]+$/gu, '');
  return shortened(name) || fallback;
}

function shortened(name: string): string {
  if (Buffer.byteLength(name) <= mostBytes) return name;
  const [ending = ''] = /\.[\w-]{1,16}$/.exec(name) ?? [];
  let kept = '';
  for (const character of name.slice(0, name.length - ending.length)) {
    if (Buffer.byteLength(kept + character + ending) > mostBytes) break;
    kept += character;
  }
  return kept + ending;
}

const mediaType = /^[\w.+-]+\/[\w.+-]+$/;

/** The media type that a browser named, without parameters; what is none is just bytes. */
export function plainMediaType(given: string): string {
  const type = (given.split(';')[0] ?? '').trim().toLowerCase();
  return mediaType.test(type) ? type : 'application/octet-stream';
}
