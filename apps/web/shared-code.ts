import { fileURLToPath } from 'node:url';
import type { Plugin, Rolldown } from 'vite';
import { pageModules } from './page-modules.ts';

/**
 * The number of rendered pages from which a shared module is moved into the common file. With 2 or 4, the
 * largest pages are larger.
 */
const fewestPages = 3;
const entry = fileURLToPath(new URL('src/main.tsx', import.meta.url));

type PageModules = Awaited<ReturnType<typeof pageModules>>;
/** By module: the name of its file, and how many pages load it. */
type Shared = ReadonlyMap<string, { name: string; pages: number }>;

/**
 * Puts modules that the entry or several visitors' pages import into one file, and those of the same few
 * pages into one file each. Otherwise the bundler writes about twenty small files per page. They are 4 KB
 * larger, since each is compressed alone.
 */
export function sharedCode(): Plugin {
  let pages: PageModules = [];
  let shared: Shared | undefined;
  const group = (debugName: string, fits: (pages: number) => boolean) => ({
    debugName,
    name: (id: string, context: Rolldown.ChunkingContext) => {
      const found = (shared ??= sharedBy(pages, context)).get(id);
      return found && fits(found.pages) ? found.name : null;
    },
  });
  return {
    name: 'shared-code',
    apply: 'build',
    buildStart: async () => {
      const visitors = (await pageModules()).filter(({ audience }) => audience !== 'accounts');
      // Several addresses may show the same page.
      pages = [...new Map(visitors.map((page) => [page.file, page])).values()];
      shared = undefined;
    },
    config: () => ({
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              // A module joins the first file that needs it, so the files of most pages come first.
              groups: [
                group('all pages', (count) => count === Infinity),
                group('several pages', (count) => count > 2 && count < Infinity),
                group('two pages', (count) => count === 2),
              ],
            },
          },
        },
      },
    }),
  };
}

function sharedBy(pages: PageModules, context: Rolldown.ChunkingContext): Shared {
  const users = new Map<string, number[]>();
  for (const [index, { file }] of pages.entries())
    for (const id of reachable(file, context))
      if (id !== file) users.set(id, [...(users.get(id) ?? []), index]);
  const shared = new Map<string, { name: string; pages: number }>();
  for (const [id, indexes] of users) {
    const rendered = indexes.filter((index) => pages[index]?.isRendered);
    if (rendered.length >= fewestPages) shared.set(id, { name: 'base', pages: Infinity });
    else if (indexes.length > 1)
      shared.set(id, { name: `pages-${indexes.join('-')}`, pages: indexes.length });
  }
  for (const id of reachable(entry, context)) shared.set(id, { name: 'base', pages: Infinity });
  return shared;
}

/**
 * `root` and all its static imports among our own modules. A package's index reaches all of the package, so
 * packages are left to the bundler, which puts what a file uses of them beside it.
 */
function reachable(root: string, context: Rolldown.ChunkingContext): ReadonlySet<string> {
  const found = new Set([root]);
  for (const id of found)
    for (const imported of context.getModuleInfo(id)?.importedIds ?? [])
      if (!imported.includes('/node_modules/')) found.add(imported);
  return found;
}
