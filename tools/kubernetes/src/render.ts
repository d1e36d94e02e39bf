import { run, inRepository } from '@stoa/system';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import type { KubeObject } from './objects.ts';

/** Renders the objects of a folder of k8s/. */
export async function render(kustomize: string, folder: string): Promise<KubeObject[]> {
  const text = await run(kustomize, ['build', folder]);
  return parseAllDocuments(text).map((document) => document.toJS() as KubeObject);
}

/** Renders the objects of base/ with these components, as an overlay would. */
export async function renderComponents(
  kustomize: string,
  components: readonly string[],
): Promise<KubeObject[]> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'stoa-overlay-')));
  // kustomize accepts only relative paths.
  const reach = (...parts: string[]) => relative(folder, inRepository('k8s', ...parts));
  const overlay = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    namespace: 'stoa',
    resources: [reach('base')],
    components: components.map((name) => reach('components', name)),
  };
  try {
    writeFileSync(join(folder, 'kustomization.yaml'), stringify(overlay));
    return await render(kustomize, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
