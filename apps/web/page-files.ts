import type { Plugin } from 'vite';
import { chunksOf, withImports } from './chunk-graph.ts';
import { pageModules } from './page-modules.ts';

/** Writes page-files.json. The gateway reads it for the files that a page needs beside those in its HTML. */
export function pageFiles(): Plugin {
  return {
    name: 'page-files',
    apply: 'build',
    async generateBundle(_, bundle) {
      const chunks = chunksOf(bundle);
      const all = [...chunks.values()];
      const known = withImports(
        all.filter((chunk) => chunk.isEntry),
        chunks,
      );
      const entries = (await pageModules()).map(({ pattern, file, pictureSizes, headerSizes }) => {
        const page = all.find((chunk) => chunk.facadeModuleId === file);
        if (!page) return this.error(`${file} is no chunk of its own.`);
        const files = [...withImports([page], chunks)].filter((name) => !known.has(name));
        return [pattern, { files: files.map((name) => `/${name}`), pictureSizes, headerSizes }] as const;
      });
      this.emitFile({
        type: 'asset',
        fileName: 'page-files.json',
        source: JSON.stringify(Object.fromEntries(entries), null, 2),
      });
    },
  };
}
