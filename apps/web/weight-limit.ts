import { brotliCompressSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

const limitBytes = 80_000;
/** What a visitor may load without an account. */
const publicPages = /[/]features[/](home|about|browse|profile|contact|legal|not-found)[/][\w-]+-page\.tsx$/;

/** Fails the build when a page for visitors brings more JavaScript than it may weigh, compressed by brotli. */
export function weightLimit(): Plugin {
  return {
    name: 'weight-limit',
    apply: 'build',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
      const weights = new Map(chunks.map((chunk) => [chunk.fileName, brotliCompressSync(chunk.code).length]));
      const entry = chunks.find((chunk) => chunk.isEntry);
      for (const page of chunks) {
        if (!entry || !publicPages.test(page.facadeModuleId ?? '')) continue;
        const names = withImports([entry, page], byName);
        const weight = [...names].reduce((sum, name) => sum + (weights.get(name) ?? 0), 0);
        if (weight > limitBytes)
          this.error(`${page.fileName} weighs ${weight} bytes of ${limitBytes}: ${[...names]}`);
      }
    },
  };
}

function withImports(
  roots: readonly Rolldown.OutputChunk[],
  byName: ReadonlyMap<string, Rolldown.OutputChunk>,
): ReadonlySet<string> {
  const names = new Set<string>();
  const waiting = [...roots];
  for (let chunk = waiting.pop(); chunk; chunk = waiting.pop()) {
    if (names.has(chunk.fileName)) continue;
    names.add(chunk.fileName);
    for (const name of chunk.imports) {
      const imported = byName.get(name);
      if (imported) waiting.push(imported);
    }
  }
  return names;
}
