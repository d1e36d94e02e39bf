import { type Run, runsOf, wordsOf } from './inline-format.ts';

export type { Run } from './inline-format.ts';

/** A paragraph, which is one item, or a list of points. */
export interface Block {
  readonly list: 'bullets' | 'numbers' | null;
  /** The number of the first item of a numbered list. */
  readonly start: number;
  readonly items: readonly (readonly Run[])[];
}

const bullet = /^\s*[-+*•][ \t]+(?=\S)/;
const number = /^\s*(\d{1,9})[.)][ \t]+(?=\S)/;

/** The same before the marks within its items are read. */
interface Lines {
  readonly list: Block['list'];
  readonly start: number;
  readonly items: string[];
}

/**
 * The few formats that a creator's text may have, by CommonMark's rules: empty lines part paragraphs, lines that begin with `-`
 * or `1.` are items of a list, `**bold**`, `*emphasis*`, and web addresses. Anything else is text as it stands; there is no HTML.
 */
export function blocksOf(text: string): Block[] {
  return linesOf(text).map(({ list, start, items }) => ({ list, start, items: items.map(runsOf) }));
}

/** The words without marks, where formats cannot be shown: a line for each item, and an empty one between blocks. */
export function withoutFormat(text: string): string {
  return blocksOf(text)
    .map(({ list, start, items }) =>
      items.map((runs, at) => `${list === 'numbers' ? `${start + at}. ` : ''}${wordsOf(runs)}`).join('\n'),
    )
    .join('\n\n');
}

/** The same for where there is little room: without empty lines. */
export const shortForm = (text: string): string => withoutFormat(text).replace(/\n+/g, '\n');

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

/** What a line begins. A number that is not the first begins no list within a paragraph: "in the year\n1984. It was". */
function itemOf(line: string, open: Lines | undefined): Omit<Lines, 'items'> & { words: string } {
  if (bullet.test(line)) return { list: 'bullets', start: 1, words: line.replace(bullet, '').trimEnd() };
  const [, first] = number.exec(line) ?? [];
  if (first !== undefined && (open?.list !== null || first === '1')) {
    return { list: 'numbers', start: Number(first), words: line.replace(number, '').trimEnd() };
  }
  return { list: null, start: 1, words: line.trim() };
}
