import { fileURLToPath } from 'node:url';
import type { VisitorPage } from './src/pages.ts';

type PageModule = Omit<VisitorPage, 'load' | 'reads'> & { file: string };

/** The pages that `src/pages.ts` declares, each with the file that its `load` imports. */
export async function pageModules(): Promise<readonly PageModule[]> {
  const source = new URL('src/pages.ts', import.meta.url);
  // Imported at run time, since bundling it into this configuration would include the whole site.
  const { visitorPages } = (await import(source.href)) as { visitorPages: readonly VisitorPage[] };
  return visitorPages.map(({ load, reads: _, ...page }) => {
    const module = /import\(['"]([^'"]+)['"]\)/.exec(String(load))?.[1];
    if (!module) throw new Error(`The page ${page.pattern} imports no module.`);
    return { ...page, file: fileURLToPath(new URL(module, source)) };
  });
}
