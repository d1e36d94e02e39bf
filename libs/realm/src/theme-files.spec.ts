import { readdir, readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const inRepository = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const theme = inRepository('deploy/keycloak/themes/stoa');

describe('the theme in Kubernetes', () => {
  it('mounts every file at its path', async () => {
    const entries = await readdir(theme, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(theme, `${parentPath}/${name}`))
      .toSorted();
    const generator = await readFile(inRepository('deploy/keycloak/kustomization.yaml'), 'utf8');
    const mount = await readFile(inRepository('k8s/components/keycloak/keycloak.yaml'), 'utf8');
    const generated = [...generator.matchAll(/- (\S+)=themes\/stoa\/(\S+)/g)];
    const mounted = [...mount.matchAll(/\{key: (\S+), path: (\S+)\}/g)];
    for (const listed of [generated, mounted]) {
      expect(listed.map(([, , path]) => path).toSorted()).toEqual(files);
      for (const [, key, path] of listed) expect(key).toBe(path?.replaceAll('/', '.'));
    }
  });
});
