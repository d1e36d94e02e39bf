import GithubSlugger from 'github-slugger';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { toString } from 'mdast-util-to-string';
import { existsSync, readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { visit } from 'unist-util-visit';
import { inRepository } from '@stoa/system/paths';
import { Wrong } from './check.ts';

const notOurs = new Set(['node_modules', 'dist', '.git', '.nx', '.stoa']);

/** Fails for a link or a picture in this repository's documents that leads nowhere inside it. */
export async function checkLinks(): Promise<void> {
  const documents = glob('**/*.md', { cwd: inRepository(), exclude: (name) => notOurs.has(name) });
  const broken: string[] = [];
  for await (const document of documents) {
    const file = inRepository(document);
    broken.push(...brokenLinks(file).map((url) => `${relative(inRepository(), file)}: ${url}`));
  }
  if (broken.length > 0) throw new Wrong(`Links that lead nowhere:\n  ${broken.toSorted().join('\n  ')}`);
}

/** The relative links and pictures of a Markdown file whose file or heading is not there. */
export function brokenLinks(file: string): string[] {
  const broken: string[] = [];
  visit(treeOf(file), (node) => {
    if (!('url' in node) || elsewhere.test(node.url)) return;
    const [path = '', heading] = node.url.split('#');
    const target = path ? join(dirname(file), decodeURI(path)) : file;
    const found = existsSync(target) && (!heading || headingsOf(target).has(heading));
    if (!found) broken.push(node.url);
  });
  return broken;
}

/** Addresses with a scheme or a host of their own. */
const elsewhere = /^(?:[a-z][a-z+.-]*:|\/)/i;

const treeOf = (file: string) => fromMarkdown(readFileSync(file, 'utf8'));

/** The fragments by which a forge makes a file's headings known. */
function headingsOf(file: string): Set<string> {
  const slugger = new GithubSlugger();
  const slugs = new Set<string>();
  visit(treeOf(file), 'heading', (heading) => {
    slugs.add(slugger.slug(toString(heading)));
  });
  return slugs;
}
