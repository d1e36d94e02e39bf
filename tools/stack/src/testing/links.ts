import GithubSlugger from 'github-slugger';
import { lexer, type Token, walkTokens } from 'marked';
import { existsSync, readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { inRepository } from '@stoa/system/paths';
import { CheckFailed } from './check.ts';

const notOurs = new Set(['node_modules', 'dist', '.git', '.nx', '.stoa']);

/** Fails for links and pictures in this repository's documents whose target in it does not exist. */
export async function checkLinks(): Promise<void> {
  const documents = glob('**/*.md', { cwd: inRepository(), exclude: (name) => notOurs.has(name) });
  const broken: string[] = [];
  for await (const document of documents) {
    const file = inRepository(document);
    broken.push(...brokenLinks(file).map((url) => `${relative(inRepository(), file)}: ${url}`));
  }
  if (broken.length > 0) throw new CheckFailed(`Broken links:\n  ${broken.toSorted().join('\n  ')}`);
}

/** The relative links and pictures of a Markdown file whose target file or heading does not exist. */
export function brokenLinks(file: string): string[] {
  const broken: string[] = [];
  walkTokens(tokensOf(file), (token) => {
    if (!('href' in token) || elsewhere.test(token.href)) return;
    const [path = '', heading] = token.href.split('#');
    const target = path ? join(dirname(file), decodeURI(path)) : file;
    const found = existsSync(target) && (!heading || headingsOf(target).has(heading));
    if (!found) broken.push(token.href);
  });
  return broken;
}

/** Addresses with a scheme or a host. */
const elsewhere = /^(?:[a-z][a-z+.-]*:|\/)/i;

const tokensOf = (file: string) => lexer(readFileSync(file, 'utf8'));

/** The fragments that GitHub generates for a file's headings. */
function headingsOf(file: string): Set<string> {
  const slugger = new GithubSlugger();
  const headings = tokensOf(file).filter(({ type }) => type === 'heading');
  return new Set(headings.map((heading) => slugger.slug(textOf(heading))));
}

/** The text of a heading, without markup. */
const textOf = (token: Token): string =>
  'tokens' in token && token.tokens ? token.tokens.map(textOf).join('') : 'text' in token ? token.text : '';
