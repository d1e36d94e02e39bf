import { run, inRepository } from '@stoa/system';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiServer, startApiServer } from '../src/api-server.ts';
import { mixes, overlays } from '../src/mixes.ts';
import { type KubeObject, type Workload, workloadsOf } from '../src/objects.ts';
import type { Programs } from '../src/programs.ts';
import { render, renderMix } from '../src/render.ts';
import { schemaLocation, writeSchemas } from '../src/schemas.ts';
import { kustomize, programs } from './built.ts';

/** The pod that a workload's controller would make: what Pod Security refuses is pods, not their makers. */
function podOf({ kind, metadata, spec }: Workload): KubeObject {
  const { volumes = [], ...pod } = spec.template.spec;
  const claimed = (spec.volumeClaimTemplates ?? []).map(({ metadata: { name } }) => ({
    name,
    persistentVolumeClaim: { claimName: name },
  }));
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...spec.template.metadata,
      name: `${metadata.name}-${kind.toLowerCase()}`,
      namespace: metadata.namespace,
    },
    spec: { restartPolicy: 'Always', ...pod, volumes: [...volumes, ...claimed] },
  };
}

(programs ? describe : describe.skip)('a real API server', () => {
  const built = programs as Programs;
  let server: ApiServer;
  let schemas: string;
  let files = 0;
  beforeAll(async () => {
    server = await startApiServer(built);
    const sets = await Promise.all(
      overlays.map((name) => render(kustomize, inRepository('k8s/overlays', name))),
    );
    const versions = [
      ...sets.flat().map(({ apiVersion }) => apiVersion),
      'postgresql.cnpg.io/v1',
      'gateway.networking.k8s.io/v1',
    ];
    schemas = await writeSchemas(server, [...new Set(versions)]);
  });
  afterAll(() => server?.stop());

  const written = (objects: readonly KubeObject[]) => {
    const file = join(server.dir, `objects-${(files += 1)}.yaml`);
    // JSON is YAML that every reader reads alike; "off" is a boolean to some.
    writeFileSync(file, objects.map((object) => `---\n${JSON.stringify(object)}\n`).join(''));
    return file;
  };

  /** What the server says of the objects without keeping them; refused ones make it throw. */
  const admitted = (objects: readonly KubeObject[]) =>
    server.kubectl('apply', '--dry-run=server', '--validate=strict', '-f', written(objects));

  const conform = (objects: readonly KubeObject[]) =>
    run(built.kubeconform, [
      '-strict',
      '-summary',
      `-schema-location=${schemaLocation(schemas)}`,
      written(objects),
    ]);

  const seen = new Set<string>();

  /** What server and schemas have against the objects; most are the same in every mix, so each is looked at once. */
  const complaints = async (objects: readonly KubeObject[]): Promise<string[]> => {
    const fresh = objects.filter((object) => !seen.has(JSON.stringify(object)));
    for (const object of fresh) seen.add(JSON.stringify(object));
    if (fresh.length === 0) return [];
    const said = await admitted([...fresh, ...workloadsOf(fresh).map(podOf)]);
    const summary = await conform(fresh);
    return [
      // Of a pod that is not restricted, of an old version of the API, of a doubled name.
      ...said.split('\n').filter((line) => line.includes('Warning')),
      ...(summary.includes(`Valid: ${fresh.length}, Invalid: 0, Errors: 0, Skipped: 0`) ? [] : [summary]),
    ];
  };

  it.each(overlays)('admits every object of the overlay %s', async (name) => {
    const objects = await render(kustomize, inRepository('k8s/overlays', name));
    expect(await complaints(objects)).toEqual([]);
  });

  it.each(mixes().map(({ name, components }) => [name, components] as const))(
    'admits every object of the mix %s',
    async (_, components) => {
      expect(await complaints(await renderMix(kustomize, components))).toEqual([]);
    },
  );

  it('refuses an unrestricted pod, an unknown field and an invalid Cluster', async () => {
    const bare = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'bare', namespace: 'stoa' },
      spec: { containers: [{ name: 'bare', image: 'bare' }] },
    };
    await expect(admitted([bare])).rejects.toThrow('violates PodSecurity "restricted');

    const misspelt = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'misspelt', namespace: 'stoa' },
      spec: { ports: [{ port: 80, targetport: 80 }] },
    };
    await expect(admitted([misspelt])).rejects.toThrow('unknown field "spec.ports[0].targetport"');
    await expect(conform([misspelt])).rejects.toThrow('Invalid: 1');

    const cluster = {
      apiVersion: 'postgresql.cnpg.io/v1',
      kind: 'Cluster',
      metadata: { name: 'none', namespace: 'stoa' },
      spec: { instances: 0, storage: { size: '1Gi' } },
    };
    await expect(admitted([cluster])).rejects.toThrow('spec.instances');
    await expect(conform([cluster])).rejects.toThrow('Invalid: 1');
  });
});
