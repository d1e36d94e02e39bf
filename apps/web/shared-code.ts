import { fileURLToPath } from 'node:url';
import type { Plugin, Rolldown } from 'vite';
import { pageModules } from './page-modules.ts';

/**
 * The number of pages from which a shared module is moved into the common file. With 2 or 4, the largest
 * pages are larger.
 */
const fewestPages = 3;
const entry = fileURLToPath(new URL('src/main.tsx', import.meta.url));

/**
 * Puts modules that the entry or several visitors' pages import into one file. Otherwise the bundler writes
 * about twenty small files per page. They are 4 KB larger, since each is compressed alone.
 */
export function sharedCode(): Plugin {
  let pages: readonly string[] = [];
  let shared: ReadonlySet<string> | undefined;
  const sharedBy = (context: Rolldown.ChunkingContext) => {
    const count = new Map<string, number>();
    for (const page of pages)
      for (const id of reachable(page, context))
        if (!pages.includes(id)) count.set(id, (count.get(id) ?? 0) + 1);
    const several = [...count].filter(([, times]) => times >= fewestPages).map(([id]) => id);
    return new Set([...several, ...reachable(entry, context)]);
  };
  return {
    name: 'shared-code',
    apply: 'build',
    buildStart: async () => {
      const rendered = (await pageModules()).filter(({ isRendered }) => isRendered);
      pages = rendered.map(({ file }) => file);
      shared = undefined;
    },
    config: () => ({
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [
                {
                  debugName: 'base',
                  name: (id, context) => ((shared ??= sharedBy(context)).has(id) ? 'base' : null),
                },
              ],
            },
          },
        },
      },
    }),
  };
}

/** `root` and all its static imports. */
function reachable(root: string, context: Rolldown.ChunkingContext): ReadonlySet<string> {
  const found = new Set([root]);
  for (const id of found)
    for (const imported of context.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}
