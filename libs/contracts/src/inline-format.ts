import { addressAt } from './web-addresses.ts';

/** Inline content of a block: plain text, formatted runs or a link. A line break is `\n`. */
export type Run =
  | string
  | { readonly strong: readonly Run[] }
  | { readonly em: readonly Run[] }
  /** `link` is the URL, `text` the visible address. */
  | { readonly link: string; readonly text: string };

interface Delimiter {
  readonly mark: string;
  /** The number of marks that no emphasis has used yet. */
  count: number;
  readonly length: number;
  readonly opens: boolean;
  readonly closes: boolean;
}
type Piece = Run | Delimiter;

const isDelimiter = (piece: Piece): piece is Delimiter => typeof piece === 'object' && 'mark' in piece;

const token = /\\[!-/:-@[-`{-~]|\*+|_+|(?<![a-z0-9+.-])(?:https?:\/\/|www\.)/gi;

/** Parses inline text by CommonMark 0.31, but only `*`, `_`, escapes and GitHub's autolinks. */
export function runsOf(text: string): Run[] {
  const pieces: Piece[] = [];
  let from = 0;
  token.lastIndex = 0;
  for (let found = token.exec(text); found; found = token.exec(text)) {
    const { 0: whole, index } = found;
    const piece = pieceAt(text, whole, index);
    if (!piece) continue;
    if (index > from) pieces.push(text.slice(from, index));
    pieces.push(piece.piece);
    from = index + piece.length;
    token.lastIndex = from;
  }
  if (from < text.length) pieces.push(text.slice(from));
  return joined(withEmphasis(pieces));
}

function pieceAt(text: string, whole: string, index: number): { piece: Piece; length: number } | undefined {
  if (whole.startsWith('\\')) return { piece: whole.slice(1), length: 2 };
  if (/^[*_]/.test(whole)) return { piece: delimiterAt(text, whole, index), length: whole.length };
  const address = addressAt(text.slice(index));
  return address && { piece: address, length: address.text.length };
}

const isSpace = (character: string) => /^[\s\p{Zs}]?$/u.test(character);
const isPunctuation = (character: string) => /^[\p{P}\p{S}]$/u.test(character);

const factor = String.raw`\p{N}`;
const unspaced = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => String.raw`\p{Script_Extensions=${script}}`)
  .join('');
/**
 * A unit or a variable. Scripts without spaces place emphasis directly after a number, so for them `measured`
 * lists the units.
 */
const unit = String.raw`(?![${unspaced}])[\p{L}\p{M}]`;
const product = new RegExp(`^(?:${factor}(?:${factor}|${unit})|${unit}${factor})$`, 'u');
const power = new RegExp(`^${factor}{2}$`, 'u');
const measured =
  /\p{N}\s?(?:[厘毫分]?米|公分|尺|寸|センチ|ミリ|メートル|센티|센티미터|밀리|미터|ซม|มม|เมตร)$/u;
const longestMeasure = 8;

/** Whether the stars mean multiplication, as in `20*30*5 cm`. CommonMark alone would read emphasis. */
const isProduct = (before: string, stars: string, after: string): boolean => {
  const last = Array.from(before).at(-1) ?? '';
  if (stars === '**') return power.test(last + after);
  return stars === '*' && (product.test(last + after) || (measured.test(before) && /^\p{N}/u.test(after)));
};

/** Reads a run of `*` or `_` with its ability to open or close emphasis (CommonMark 6.2, left- and right-flanking). */
function delimiterAt(text: string, whole: string, index: number): Delimiter {
  const before = Array.from(text.slice(Math.max(0, index - 2), index)).at(-1) ?? '';
  const after = Array.from(text.slice(index + whole.length, index + whole.length + 2))[0] ?? '';
  const left = !isSpace(after) && (!isPunctuation(after) || isSpace(before) || isPunctuation(before));
  const right = !isSpace(before) && (!isPunctuation(before) || isSpace(after) || isPunctuation(after));
  const mark = whole.charAt(0);
  if (isProduct(text.slice(Math.max(0, index - longestMeasure), index), whole, after))
    return { mark, count: whole.length, length: 0, opens: false, closes: false };
  const opens = left && (mark === '*' || !right || isPunctuation(before));
  const closes = right && (mark === '*' || !left || isPunctuation(after));
  return { mark, count: whole.length, length: whole.length, opens, closes };
}

/** CommonMark's algorithm "process emphasis": each closing mark pairs with the nearest matching opening mark. */
function withEmphasis(pieces: Piece[]): Piece[] {
  const done: Piece[] = [];
  // CommonMark's `openers_bottom`: below it no opening mark matches this kind. It prevents quadratic time.
  const bottoms = new Map<string, number>();
  for (const piece of pieces) {
    done.push(piece);
    if (!isDelimiter(piece) || !piece.closes) continue;
    const kind = `${piece.mark}${piece.opens}${piece.length % 3}`;
    while (piece.count > 0) {
      const at = openerOf(done, piece, bottoms.get(kind) ?? 0);
      if (at < 0) {
        bottoms.set(kind, done.length - 1);
        break;
      }
      wrap(done, at, piece);
      for (const [each, bottom] of bottoms) bottoms.set(each, Math.min(bottom, at + 1));
    }
  }
  return done;
}

function openerOf(done: readonly Piece[], closer: Delimiter, bottom: number): number {
  return done.findLastIndex((piece, at) => at >= bottom && piece !== closer && fits(piece, closer));
}

function fits(piece: Piece, closer: Delimiter): boolean {
  if (!isDelimiter(piece) || !piece.opens || piece.mark !== closer.mark || piece.count === 0) return false;
  const isOddMatch = (piece.closes || closer.opens) && (piece.length + closer.length) % 3 === 0;
  return !isOddMatch || (piece.length % 3 === 0 && closer.length % 3 === 0);
}

/** Wraps the pieces between the opening mark at `at` and the closing mark, the last piece, into one run. */
function wrap(done: Piece[], at: number, closer: Delimiter): void {
  const opener = done[at] as Delimiter;
  const inside = joined(done.splice(at + 1, done.length - at - 2));
  const isStrong = opener.count > 1 && closer.count > 1;
  const used = isStrong ? 2 : 1;
  opener.count -= used;
  closer.count -= used;
  done.splice(at + 1, 0, isStrong ? { strong: inside } : { em: inside });
  if (opener.count === 0) done.splice(at, 1);
}

/** Converts unused marks to text and joins adjacent texts. */
function joined(pieces: readonly Piece[]): Run[] {
  const runs: Run[] = [];
  for (const piece of pieces) {
    const run = isDelimiter(piece) ? piece.mark.repeat(piece.count) : piece;
    if (run === '') continue;
    const last = runs.at(-1);
    if (typeof run === 'string' && typeof last === 'string') runs[runs.length - 1] = last + run;
    else runs.push(run);
  }
  return runs;
}

/** The text of runs without formatting. */
export function wordsOf(runs: readonly Run[]): string {
  const word = (run: Run): string => {
    if (typeof run === 'string') return run;
    if ('link' in run) return run.text;
    return wordsOf('strong' in run ? run.strong : run.em);
  };
  return runs.map(word).join('');
}
