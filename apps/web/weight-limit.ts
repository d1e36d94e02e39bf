import { brotliCompressSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { chunksOf, withImports } from './chunk-graph.ts';
import { pageModules } from './page-modules.ts';

/** React, React DOM, React Router and TanStack Query take about 95,000 of it: see ADR 28. */
const limitBytes = 112_000;
/** Code that visitors never need immediately: signing in, validating long forms, dialogs and toasts. */
const keptApart =
  /[/]node_modules[/](keycloak-js|zod|@radix-ui|@dnd-kit|react-easy-crop)[/]|[/]features[/](offerings|profile-editor|dashboard|account)[/]/;

/**
 * Fails the build if a page for visitors loads more JavaScript than the limit, compressed with Brotli, or
 * loads code that only creators need.
 */
export function weightLimit(): Plugin {
  /** The files that each visitors' page loads, by the name of its own file. */
  const brought = new Map<string, ReadonlySet<string>>();
  return {
    name: 'weight-limit',
    apply: 'build',
    async generateBundle(_, bundle) {
      const chunks = chunksOf(bundle);
      const entry = [...chunks.values()].find((chunk) => chunk.isEntry);
      if (!entry) return this.error('The site has no entry to be weighed.');
      const weighed = (await pageModules()).filter(({ audience }) => audience !== 'accounts');
      for (const { file } of weighed) {
        const page = [...chunks.values()].find((chunk) => chunk.facadeModuleId === file);
        if (!page) return this.error(`${file} is no chunk of its own.`);
        const names = withImports([entry, page], chunks);
        brought.set(page.fileName, names);
        const modules = [...names].flatMap((name) => chunks.get(name)?.moduleIds ?? []);
        const stray = modules.find((module) => keptApart.test(module));
        if (stray) this.error(`${page.fileName} brings ${stray} along, which belongs in a chunk of its own.`);
      }
    },
    // The written chunks are final: at the very end Vite adds each page's file list, and drops empty chunks.
    writeBundle(_, bundle) {
      const chunks = chunksOf(bundle);
      const weights = new Map(
        [...chunks.values()].map((chunk) => [chunk.fileName, brotliCompressSync(chunk.code).length]),
      );
      for (const [page, names] of brought) {
        const weight = [...names].reduce((sum, name) => sum + (weights.get(name) ?? 0), 0);
        if (weight > limitBytes) this.error(`${page} weighs ${weight} bytes of ${limitBytes}: ${[...names]}`);
      }
    },
  };
}
