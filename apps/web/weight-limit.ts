import { brotliCompressSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { chunksOf, withImports } from './chunk-graph.ts';

const limitBytes = 80_000;
/** What may be loaded without an account. */
const publicPages =
  /[/]features[/](?:(?:home|about|browse|profile|contact|legal|download|not-found)[/][\w-]+|sign-in[/](?:redirect-to-sign-in|callback))-page\.tsx$/;
/** These stand among routes that are in a chunk of their own. */
const otherPages = /[/](?:download|not-found)-page\.tsx$/;
const otherRoutes = /[/]other-routes\.tsx$/;
/** What visitors never need at once: signing in, checking long forms, dialogs and toasts. */
const keptApart =
  /[/]node_modules[/](keycloak-js|zod|@radix-ui|@tanstack)[/]|[/]features[/](offerings|profile-editor|dashboard|account)[/]/;

/**
 * Fails the build when a page for visitors brings more JavaScript than it may weigh, compressed by brotli, or
 * brings what only creators need.
 */
export function weightLimit(): Plugin {
  return {
    name: 'weight-limit',
    apply: 'build',
    generateBundle(_, bundle) {
      const chunks = chunksOf(bundle);
      const weights = new Map(
        [...chunks.values()].map((chunk) => [chunk.fileName, brotliCompressSync(chunk.code).length]),
      );
      const entry = [...chunks.values()].find((chunk) => chunk.isEntry);
      const pages = [...chunks.values()].filter((chunk) => publicPages.test(chunk.facadeModuleId ?? ''));
      const others = [...chunks.values()].find((chunk) => otherRoutes.test(chunk.facadeModuleId ?? ''));
      if (!entry || !others || pages.length === 0)
        this.error('No page for visitors was found to be weighed.');
      for (const page of pages) {
        const amongOthers = otherPages.test(page.facadeModuleId ?? '');
        const names = withImports(amongOthers ? [entry, others, page] : [entry, page], chunks);
        const weight = [...names].reduce((sum, name) => sum + (weights.get(name) ?? 0), 0);
        if (weight > limitBytes)
          this.error(`${page.fileName} weighs ${weight} bytes of ${limitBytes}: ${[...names]}`);
        const modules = [...names].flatMap((name) => chunks.get(name)?.moduleIds ?? []);
        const stray = modules.find((module) => keptApart.test(module));
        if (stray) this.error(`${page.fileName} brings ${stray} along, which belongs in a chunk of its own.`);
      }
    },
  };
}
