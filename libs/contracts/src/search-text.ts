import { foldText, quotes } from './folded.ts';

// Scripts whose words stand without blanks between them, and Hangul, whose words are often compounds.
const scripts = ['Han', 'Hira', 'Kana', 'Bopo', 'Hang', 'Yiii', 'Thai', 'Laoo', 'Khmr', 'Mymr', 'Tibt'];
const unspaced = String.raw`(?=\p{L})[${scripts.map((script) => String.raw`\p{scx=${script}}`).join('')}]`;
/** A letter inside a word where a reader may begin another one, with the letter after it. */
const insideWords = new RegExp(String.raw`(?<=[\p{L}\p{N}])(?=(${unspaced}[\p{L}\p{N}]?))`, 'gu');
const hyphened = /[\p{L}\p{N}]+(?:-+[\p{L}\p{N}]+)+/gu;
const atStart = /^[\p{L}\p{N}]+/gu;
const behindSigns = /(?<=[^\p{L}\p{N}\s])[\p{L}\p{N}]+/gu;

/**
 * What a search looks through. Each text is one folded line, with a blank in front, so that a blank stands before every
 * word, and a blank for each hyphen. A last line holds what else a reader takes for a word: hyphened words in one piece, words behind signs
 * and quotes, and, where a script has no blanks, each pair of letters. `matchesSearch` and the statements of creators read it.
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
  for (const line of lines) {
    for (const [word] of line.matchAll(behindSigns)) words.add(word);
    for (const [, pair] of line.matchAll(insideWords)) words.add(String(pair));
  }
  if (words.size > 0) lines.push([...words].join(' '));
  return lines.map((line) => ` ${line}`).join('\n');
}

/** What one word of a query is found by: any of these, in what `searchLines` makes. */
export type SearchWord = readonly [string, ...string[]];

const sentenceSigns = String.raw`[.,;:!?¡¿…。、،؟()[\]{}]+`;
const aroundWords = new RegExp(
  String.raw`^(?:@(?=[\p{L}\p{N}_])|${sentenceSigns}(?=.*[\p{L}\p{N}]))|(?<=[\p{L}\p{N}].*)${sentenceSigns}$`,
  'gu',
);

/** So short that a part of a hyphened word finds too much by itself. */
const shortPart = 2;

/**
 * The words of a query, all of which are to be found, in any order. The parts of a hyphened word are words of their own; where one is as
 * short as in `e-book` they are to stand beside each other or in one piece. `@name` is the name. Signs at the ends of a word that hold no
 * meaning are left out.
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

/** Whether all words of a query are in what `searchLines` has made, anywhere in its words. */
export function matchesSearch(lines: string, words: readonly SearchWord[]): boolean {
  return words.every((forms) => forms.some((form) => lines.includes(form)));
}
