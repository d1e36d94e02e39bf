import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { chunksOf, withImports } from './chunk-graph.ts';
import { publicPages } from './pages.ts';

/** Tells the gateway, in page-files.json, which files a page needs beside those that its HTML names already. */
export function pageFiles(): Plugin {
  return {
    name: 'page-files',
    apply: 'build',
    generateBundle(_, bundle) {
      const chunks = chunksOf(bundle);
      const all = [...chunks.values()];
      const known = withImports(
        all.filter((chunk) => chunk.isEntry),
        chunks,
      );
      const entries = publicPages.map(({ path, module, ...sizes }) => {
        const file = fileURLToPath(new URL(`src/${module}`, import.meta.url));
        const page = all.find((chunk) => chunk.facadeModuleId === file);
        if (!page) return this.error(`${module} is no chunk of its own.`);
        const files = [...withImports([page], chunks)].filter((name) => !known.has(name));
        return [path, { files: files.map((name) => `/${name}`), ...sizes }] as const;
      });
      this.emitFile({
        type: 'asset',
        fileName: 'page-files.json',
        source: JSON.stringify(Object.fromEntries(entries), null, 2),
      });
    },
  };
}
