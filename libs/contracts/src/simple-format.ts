import { marked } from './format-marks.ts';

/** A run of text within a line: as it stands, stressed, or an address that leads to itself. */
export type Run = string | { readonly strong: string } | { readonly em: string } | { readonly link: string };

/** A paragraph of lines, or a list of points. */
export interface Block {
  readonly isList: boolean;
  readonly lines: readonly (readonly Run[])[];
}

const point = /^[-*•] +/;
/**
 * The few formats that a description may have: empty lines part paragraphs, lines that begin with `-` are points of a
 * list, `**bold**`, `*emphasis*`, and web addresses. Anything else is text as it stands; there is no HTML.
 */
export function blocksOf(text: string): Block[] {
  const blocks: { isList: boolean; lines: Run[][] }[] = [];
  let isOpen = false;
  for (const line of text.split('\n')) {
    const isList = point.test(line);
    const last = blocks.at(-1);
    if (!line.trim()) isOpen = false;
    else if (isOpen && last?.isList === isList) last.lines.push(runsOf(line));
    else {
      blocks.push({ isList, lines: [runsOf(line)] });
      isOpen = true;
    }
  }
  return blocks;
}

function runsOf(line: string): Run[] {
  const text = line.replace(point, '');
  const runs: Run[] = [];
  let from = 0;
  for (const { 0: whole, 1: strong, 2: em, 3: link, index } of text.matchAll(marked)) {
    if (index > from) runs.push(text.slice(from, index));
    runs.push(strong ? { strong } : em ? { em } : { link: link ?? whole });
    from = index + whole.length;
  }
  if (from < text.length) runs.push(text.slice(from));
  return runs;
}
