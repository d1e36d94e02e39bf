import { brotliCompressSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { chunksOf, withImports } from './chunk-graph.ts';

/** React, React DOM and React Router in data mode take about 81,000 of it: see ADR 15. A page may weigh 110 KB with its HTML and styles. */
const limitBytes = 98_000;
/** What may be loaded without an account. */
const publicPages =
  /[/]features[/](?:(?:home|about|browse|profile|contact|legal|download|not-found)[/][\w-]+|sign-in[/](?:redirect-to-sign-in|callback))-page\.tsx$/;
/** These stand among routes that are in a chunk of their own. */
const otherPages = /[/](?:download|not-found)-page\.tsx$/;
const otherRoutes = /[/]other-routes\.tsx$/;
/** What visitors never need at once: signing in, checking long forms, dialogs and toasts. */
const keptApart =
  /[/]node_modules[/](keycloak-js|zod|@radix-ui|@tanstack|@dnd-kit|react-easy-crop)[/]|[/]features[/](offerings|profile-editor|dashboard|account)[/]/;

/**
 * Fails the build when a page for visitors brings more JavaScript than it may weigh, compressed by brotli, or
 * brings what only creators need.
 */
export function weightLimit(): Plugin {
  /** What each page for visitors brings, by the name of its own file. */
  const brought = new Map<string, ReadonlySet<string>>();
  return {
    name: 'weight-limit',
    apply: 'build',
    generateBundle(_, bundle) {
      const chunks = chunksOf(bundle);
      const entry = [...chunks.values()].find((chunk) => chunk.isEntry);
      const pages = [...chunks.values()].filter((chunk) => publicPages.test(chunk.facadeModuleId ?? ''));
      const others = [...chunks.values()].find((chunk) => otherRoutes.test(chunk.facadeModuleId ?? ''));
      if (!entry || !others || pages.length === 0)
        this.error('No page for visitors was found to be weighed.');
      for (const page of pages) {
        const amongOthers = otherPages.test(page.facadeModuleId ?? '');
        const names = withImports(amongOthers ? [entry, others, page] : [entry, page], chunks);
        brought.set(page.fileName, names);
        const modules = [...names].flatMap((name) => chunks.get(name)?.moduleIds ?? []);
        const stray = modules.find((module) => keptApart.test(module));
        if (stray) this.error(`${page.fileName} brings ${stray} along, which belongs in a chunk of its own.`);
      }
    },
    // Only what is written is whole: at the very end Vite adds the list of every page's files, and drops empty chunks.
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
