import { marked, type Token, type Tokens } from 'marked';
import { globSync, readFileSync } from 'node:fs';
import { inRepository } from '@stoa/system/paths';
import { CheckFailed } from './check.ts';

/** Limits of hand-written pages. */
export const documentLimits = {
  pageWords: 900,
  readmeWords: 450,
  contributingWords: 700,
  allWords: 16_000,
  sentenceWords: 30,
  meanSentenceWords: 18,
  decisionLines: 60,
} as const;

const retiredWords = (
  JSON.parse(readFileSync(inRepository('lint/retired-words.json'), 'utf8')) as {
    pattern: string;
    instead: string;
  }[]
).map(({ pattern, instead }) => ({ pattern: new RegExp(pattern, 'iu'), instead }));

export interface Prose {
  readonly words: number;
  readonly sentences: readonly string[];
  /** Sentences of paragraphs and lists, without table cells, which would lower the mean. */
  readonly running: readonly string[];
}

const wordsOf = (text: string): number =>
  text.split(/\s+/).filter((part) => /[\p{L}\p{N}]/u.test(part)).length;

/**
 * Reads the prose of a Markdown page. Code blocks, comments and addresses are excluded, and inline code is
 * one word.
 */
export function proseOf(markdown: string): Prose {
  const texts: { text: string; runs: boolean }[] = [];
  const walk = (tokens: readonly Token[]): void => {
    for (const token of tokens) {
      if (token.type === 'table') {
        const { header, rows } = token as Tokens.Table;
        for (const cell of [...header, ...rows.flat()]) texts.push({ text: plain(cell.tokens), runs: false });
      } else if (token.type === 'heading') texts.push({ text: plain(token.tokens ?? []), runs: false });
      else if (token.type === 'paragraph' || token.type === 'text')
        texts.push({ text: plain(token.tokens ?? [token]), runs: true });
      else if (token.type === 'list') for (const item of (token as Tokens.List).items) walk(item.tokens);
      else if (token.type === 'blockquote') walk(token.tokens ?? []);
    }
  };
  walk(marked.lexer(markdown));
  const split = texts.map(({ text, runs }) => ({ runs, sentences: sentencesOf(text) }));
  return {
    words: texts.reduce((sum, { text }) => sum + wordsOf(text), 0),
    sentences: split.flatMap(({ sentences }) => sentences),
    running: split.filter(({ runs }) => runs).flatMap(({ sentences }) => sentences),
  };
}

/**
 * The text of inline tokens. Code becomes one word without spaces or full stops, so that names count once and
 * are not checked.
 */
function plain(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === 'codespan') return 'CODE';
      if (token.type === 'br') return ' ';
      if (token.type === 'html' || token.type === 'image') return '';
      if ('tokens' in token && token.tokens) return plain(token.tokens);
      return 'text' in token ? String(token.text) : '';
    })
    .join('');
}

const sentencesOf = (text: string): string[] =>
  text
    .replaceAll(/\b(e\.g|i\.e|etc|vs)\./g, '$1')
    // Names of services are in lower case, also at the start of a sentence.
    .split(/(?<=[.!?][)"”]?)\s+/u)
    .map((sentence) => sentence.replaceAll(/\s+/g, ' ').trim())
    .filter((sentence) => wordsOf(sentence) > 0);

/** The faults in the sentences of a page. */
export function faultySentences(page: string, markdown: string): string[] {
  return proseOf(markdown).sentences.flatMap((text) => {
    // Ignores the title of a test case, which may contain any word.
    const sentence = text.replaceAll(/CODE “[^”]*”/g, 'CODE');
    const long = wordsOf(sentence) > documentLimits.sentenceWords;
    const retired = retiredWords.flatMap(({ pattern, instead }) => {
      const [found] = pattern.exec(sentence) ?? [];
      return found === undefined ? [] : [`${page}: “${found.trim()}” (write ${instead}): ${sentence}`];
    });
    return long
      ? [
          `${page}: ${wordsOf(sentence)} words, at most ${documentLimits.sentenceWords}: ${sentence}`,
          ...retired,
        ]
      : retired;
  });
}

/** The faults of a hand-written page. */
export function faultsOf(page: string, markdown: string): string[] {
  const { words, running } = proseOf(markdown);
  const most =
    page === 'README.md'
      ? documentLimits.readmeWords
      : page === 'CONTRIBUTING.md'
        ? documentLimits.contributingWords
        : documentLimits.pageWords;
  const lines = markdown.trimEnd().split('\n').length;
  const mean = running.reduce((sum, sentence) => sum + wordsOf(sentence), 0) / Math.max(running.length, 1);
  const faults = [
    ...(words > most ? [`${words} words, at most ${most}`] : []),
    ...(page.startsWith('docs/adr/') && lines > documentLimits.decisionLines
      ? [`${lines} lines, at most ${documentLimits.decisionLines}`]
      : []),
    ...(mean > documentLimits.meanSentenceWords
      ? [`a mean of ${mean.toFixed(1)} words a sentence, at most ${documentLimits.meanSentenceWords}`]
      : []),
  ];
  return [...faults.map((fault) => `${page}: ${fault}`), ...faultySentences(page, markdown)];
}

/**
 * The changelog grows with each release. Programs write evidence, or tests read it row by row; reference
 * pages are generated.
 */
const apart = /^(?:CHANGELOG\.md$|docs\/(?:evidence|reference)\/(?!README\.md$))/;
/** Reports that programs write; they quote the specification and other programs. */
const writtenByProgram = /^Written by `npm run stoa /m;
const notOurs = new Set(['node_modules', 'dist', '.git', '.nx', '.stoa', 'generated']);

const pagesThat = (choice: (page: string) => boolean): Map<string, string> => {
  const found = globSync(['**/*.md', '.github/**/*.md'], {
    cwd: inRepository(),
    exclude: (name) => notOurs.has(name),
  });
  const pages = [...new Set(found)].filter(choice).toSorted();
  return new Map(pages.map((page) => [page, readFileSync(inRepository(page), 'utf8')]));
};

/** The hand-written pages, by their path in the repository. */
export const writtenPages = (): Map<string, string> => pagesThat((page) => !apart.test(page));

/** The changelog, the registers of claims and the records of runs, which have no limit of length. */
const registers = (): [string, string][] =>
  [...pagesThat((page) => !page.startsWith('docs/reference/') && apart.test(page))].filter(
    ([, markdown]) => !writtenByProgram.test(markdown),
  );

export const wordsIn = (pages: ReadonlyMap<string, string>): number =>
  [...pages.values()].reduce((sum, markdown) => sum + proseOf(markdown).words, 0);

/** Fails for a page or sentence that is too long, and for a retired word. */
export function checkDocuments(say: (line: string) => void): void {
  const pages = writtenPages();
  const words = wordsIn(pages);
  const faults = [
    ...[...pages].flatMap(([page, markdown]) => faultsOf(page, markdown)),
    ...registers().flatMap(([page, markdown]) => faultySentences(page, markdown)),
  ];
  if (words > documentLimits.allWords)
    faults.unshift(`All pages together have ${words} words, at most ${documentLimits.allWords}.`);
  if (faults.length > 0)
    throw new CheckFailed(`Documents (docs/develop/writing.md):\n  ${faults.join('\n  ')}`);
  const running = [...pages.values()].flatMap((markdown) => proseOf(markdown).running);
  const mean = running.reduce((sum, sentence) => sum + wordsOf(sentence), 0) / running.length;
  say(`${pages.size} pages, ${words} words, ${mean.toFixed(1)} words a sentence`);
}
