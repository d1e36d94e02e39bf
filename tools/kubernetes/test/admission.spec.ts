import { run, inRepository } from '@stoa/system';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiServer, groupVersionsIn, startApiServer } from '../src/api-server.ts';
import { examples, componentSets, overlays } from '../src/component-sets.ts';
import { type KubeObject, type Workload, workloadsOf } from '../src/objects.ts';
import type { Programs } from '../src/programs.ts';
import { render, renderComponents } from '../src/render.ts';
import { schemaLocation, writeSchemas } from '../src/schemas.ts';
import { definitionsOfOperators, kustomize, programs } from './built.ts';

/** The pod that a workload's controller would create: Pod Security checks pods, not workloads. */
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
    const further = await definitionsOfOperators();
    server = await startApiServer(built, [further]);
    const sets = await Promise.all(
      overlays.map((name) => render(kustomize, inRepository('k8s/overlays', name))),
    );
    const versions = [
      ...sets.flat().map(({ apiVersion }) => apiVersion),
      'rbac.authorization.k8s.io/v1',
      'scheduling.k8s.io/v1',
      ...groupVersionsIn(built.definitions),
      ...groupVersionsIn(further),
    ];
    schemas = await writeSchemas(server, [...new Set(versions)]);
    // The first run fetches the modules of the operators, which have 600 MB.
  }, 600_000);
  afterAll(() => server?.stop());

  const written = (objects: readonly KubeObject[]) => {
    const file = join(server.dir, `objects-${(files += 1)}.yaml`);
    // JSON is YAML without ambiguities; some parsers read "off" as a boolean.
    writeFileSync(file, objects.map((object) => `---\n${JSON.stringify(object)}\n`).join(''));
    return file;
  };

  /** The server's output for a dry run of the objects. It throws if the server refuses one. */
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

  /**
   * The faults that server and schemas find. Most objects are equal in all sets, so each is checked only
   * once.
   */
  const complaints = async (objects: readonly KubeObject[]): Promise<string[]> => {
    const fresh = objects.filter((object) => !seen.has(JSON.stringify(object)));
    for (const object of fresh) seen.add(JSON.stringify(object));
    // The server refuses a pod whose priority class does not exist.
    const classes = fresh.filter(({ kind }) => kind === 'PriorityClass');
    if (classes.length > 0) await server.kubectl('apply', '-f', written(classes));
    if (fresh.length === 0) return [];
    const output = await admitted([...fresh, ...workloadsOf(fresh).map(podOf)]);
    const summary = await conform(fresh);
    return [
      // Warnings about unrestricted pods, old API versions and duplicate names.
      ...output.split('\n').filter((line) => line.includes('Warning')),
      ...(summary.includes(`Valid: ${fresh.length}, Invalid: 0, Errors: 0, Skipped: 0`) ? [] : [summary]),
    ];
  };

  it.each(overlays)('admits every object of the overlay %s', async (name) => {
    const objects = await render(kustomize, inRepository('k8s/overlays', name));
    expect(await complaints(objects)).toEqual([]);
  });

  it.each(componentSets().map(({ name, components }) => [name, components] as const))(
    'admits every object of the set %s',
    async (_, components) => {
      expect(await complaints(await renderComponents(kustomize, components))).toEqual([]);
    },
  );

  it.each(Object.entries(examples))('admits every object of the example %s', async (name, before) => {
    const objects = before
      ? await renderComponents(kustomize, [...before, join('../examples', name), 'images'])
      : await render(kustomize, inRepository('k8s/examples', name));
    expect(objects.length).toBeGreaterThan(0);
    expect(await complaints(objects)).toEqual([]);
  });

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
