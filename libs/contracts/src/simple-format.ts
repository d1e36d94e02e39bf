import { type Run, runsOf, wordsOf } from './inline-format.ts';

export type { Run } from './inline-format.ts';

/** A paragraph, which has one item, or a list. */
export interface Block {
  readonly list: 'bullets' | 'numbers' | null;
  /** The number of the first item of a numbered list. */
  readonly start: number;
  readonly items: readonly (readonly Run[])[];
}

const bullet = /^\s*[-+*•][ \t]+(?=\S)/;
const number = /^\s*(\d{1,9})[.)][ \t]+(?=\S)/;

/** A block before its inline formats are parsed. */
interface Lines {
  readonly list: Block['list'];
  readonly start: number;
  readonly items: string[];
}

/**
 * Parses the formats of a creator's text by CommonMark's rules: paragraphs between empty lines, lists with `-` or `1.`,
 * `**bold**`, `*emphasis*` and web addresses. Everything else, HTML included, stays text.
 */
export function blocksOf(text: string): Block[] {
  return linesOf(text).map(({ list, start, items }) => ({ list, start, items: items.map(runsOf) }));
}

/** The text without formatting: one line for each item and an empty line between blocks. */
export function withoutFormat(text: string): string {
  return blocksOf(text)
    .map(({ list, start, items }) =>
      items.map((runs, at) => `${list === 'numbers' ? `${start + at}. ` : ''}${wordsOf(runs)}`).join('\n'),
    )
    .join('\n\n');
}

/** The text without formatting and without empty lines. */
export const compactText = (text: string): string => withoutFormat(text).replace(/\n+/g, '\n');

function linesOf(text: string): Lines[] {
  const blocks: Lines[] = [];
  let open: Lines | undefined;
  for (const line of text.split(/\r\n?|\n/)) {
    if (!line.trim()) {
      open = undefined;
      continue;
    }
    const { list, start, words } = itemOf(line, open);
    if (open && list === null && (open.list === null || /^[ \t]{2}/.test(line))) {
      open.items.push(`${open.items.pop() ?? ''}\n${words}`);
    } else if (open && open.list === list) open.items.push(words);
    else blocks.push((open = { list, start, items: [words] }));
  }
  return blocks;
}

/** Reads a line. In a paragraph only the number 1 starts a list, because of text such as "in the year\n1984. It was". */
function itemOf(line: string, open: Lines | undefined): Omit<Lines, 'items'> & { words: string } {
  if (bullet.test(line)) return { list: 'bullets', start: 1, words: line.replace(bullet, '').trimEnd() };
  const [, first] = number.exec(line) ?? [];
  if (first !== undefined && (open?.list !== null || first === '1')) {
    return { list: 'numbers', start: Number(first), words: line.replace(number, '').trimEnd() };
  }
  return { list: null, start: 1, words: line.trim() };
}
