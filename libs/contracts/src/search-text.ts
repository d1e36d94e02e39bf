import { foldText, quotes } from './folded.ts';

// Scripts without spaces between words, and Hangul, whose words are often compounds.
const scripts = ['Han', 'Hira', 'Kana', 'Bopo', 'Hang', 'Yiii', 'Thai', 'Laoo', 'Khmr', 'Mymr', 'Tibt'];
const unspaced = String.raw`(?=\p{L})[${scripts.map((script) => String.raw`\p{scx=${script}}`).join('')}]`;
const sign = String.raw`[\p{L}\p{N}]`;
/**
 * Up to two characters at each possible word start inside a word: at a letter of such a script, and after one, as `AI` in
 * `はじめてのAI講座`.
 */
const insideWords = new RegExp(`(?:(?<=${sign})(?=${unspaced})|(?<=${unspaced}))(?=(${sign}{1,2}))`, 'gu');
const hyphened = /[\p{L}\p{N}]+(?:-+[\p{L}\p{N}]+)+/gu;
const atStart = /^[\p{L}\p{N}]+/gu;
const behindSigns = /(?<=[^\p{L}\p{N}\s])[\p{L}\p{N}]+/gu;

/**
 * Builds the searchable text that `matchesSearch` and the SQL of creators read. Each text becomes a folded line, in which
 * every word follows a space; hyphens become spaces. A last line has additional words: hyphenated words in one piece,
 * words after punctuation or quotes, and each pair of characters inside words of scripts without spaces.
 */
export function searchLines(texts: readonly string[]): string {
  const folded = texts.map(foldText);
  const lines = folded.map((line) => line.replace(/[-\s]+/g, ' ').trim());
  const words = new Set<string>();
  for (const line of folded)
    for (const [word] of line.matchAll(hyphened)) words.add(word.replaceAll('-', ''));
  for (const text of texts)
    for (const behind of text.split(quotes).slice(1))
      for (const [word] of foldText(behind).matchAll(atStart)) words.add(word);
  for (const line of lines) for (const [word] of line.matchAll(behindSigns)) words.add(word);
  for (const text of [...lines, ...words])
    for (const [, pair] of text.matchAll(insideWords)) words.add(String(pair));
  if (words.size > 0) lines.push([...words].join(' '));
  return lines.map((line) => ` ${line}`).join('\n');
}

/** The alternative forms of one query word. A text from `searchLines` matches if it contains any of them. */
export type SearchWord = readonly [string, ...string[]];

const sentenceSigns = String.raw`[.,;:!?¡¿…。、،؟()[\]{}]+`;
const aroundWords = new RegExp(
  String.raw`^(?:@(?=[\p{L}\p{N}_])|#(?=\p{L})|${sentenceSigns}(?=.*[\p{L}\p{N}]))|(?<=[\p{L}\p{N}].*)${sentenceSigns}$`,
  'gu',
);

/** The length up to which a part of a hyphenated word would match too many texts on its own. */
const shortPart = 2;

/**
 * The words of a query. A text matches if it contains all of them, in any order. A hyphenated word becomes separate words.
 * With a short part, as in `e-book`, its parts must be adjacent or joined. `@name` and `#topic` become the word alone, and
 * punctuation around a word is removed.
 */
export function searchWords(query: string): SearchWord[] {
  const words = foldText(query)
    .split(' ')
    .map((word) => word.replace(aroundWords, '').split('-').filter(Boolean))
    .flatMap((parts) =>
      parts.every((part) => Array.from(part).length > shortPart)
        ? parts.map((part) => [part])
        : [[...new Set([parts.join(' '), parts.join('')])]],
    )
    .filter((forms): forms is [string, ...string[]] => Boolean(forms[0]));
  return [...new Map(words.map((word) => [word[0], word])).values()];
}

/** Whether `lines` from `searchLines` contain all words of a query, also inside other words. */
export function matchesSearch(lines: string, words: readonly SearchWord[]): boolean {
  return words.every((forms) => forms.some((form) => lines.includes(form)));
}
