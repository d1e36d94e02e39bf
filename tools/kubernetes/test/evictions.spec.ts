import { inRepository } from '@stoa/system';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiServer, startApiServer } from '../src/api-server.ts';
import type { KubeObject, Labels } from '../src/objects.ts';
import type { Programs } from '../src/programs.ts';
import { render } from '../src/render.ts';
import { kustomize, programs } from './built.ts';

interface Budget {
  readonly maxUnavailable: number;
  readonly selector: { readonly matchLabels: Labels };
}

// A drain sends these requests. No controller runs here, so the test writes the status of pods and budgets.
(programs ? describe : describe.skip)('the eviction of a pod of the gateway', () => {
  let server: ApiServer;
  let budget: KubeObject;
  beforeAll(async () => {
    server = await startApiServer(programs as Programs);
    const objects = await render(kustomize, inRepository('k8s/overlays/production'));
    budget = objects.find(
      ({ kind, metadata }) => kind === 'PodDisruptionBudget' && metadata.name === 'gateway',
    )!;
  });
  afterAll(() => server?.stop());

  const file = (name: string, object: object) => {
    const path = join(server.dir, `${name}.json`);
    writeFileSync(path, JSON.stringify(object));
    return path;
  };
  const setStatus = (what: string, status: object) =>
    server.kubectl('patch', what, '--subresource=status', '--type=merge', '-p', JSON.stringify({ status }));

  /** Creates the pods of a Deployment, `ready` of them ready, with the given budget. */
  async function prepare(total: number, ready: number, { spec, ...given }: KubeObject): Promise<string[]> {
    await server.kubectl('delete', 'pdb,pods', '--all', '--force', '--ignore-not-found');
    const { maxUnavailable, selector } = spec as Budget;
    const names = Array.from({ length: total }, (_, index) => `gateway-${index}`);
    for (const [index, name] of names.entries()) {
      const container = {
        name: 'app',
        image: 'stoa/gateway:0',
        securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
      };
      const restricted = { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } };
      const pod = {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name, labels: selector.matchLabels },
        spec: { securityContext: restricted, containers: [container] },
      };
      await server.kubectl('create', '-f', file(name, pod));
      const isReady = index < ready ? 'True' : 'False';
      await setStatus(`pod/${name}`, { phase: 'Running', conditions: [{ type: 'Ready', status: isReady }] });
    }
    await server.kubectl('create', '-f', file('budget', { ...given, spec }));
    const desiredHealthy = Math.max(0, total - maxUnavailable);
    await setStatus('pdb/gateway', {
      observedGeneration: 1,
      expectedPods: total,
      currentHealthy: ready,
      desiredHealthy,
      disruptionsAllowed: Math.max(0, ready - desiredHealthy),
    });
    return names;
  }

  const evict = (name: string) => {
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace: 'stoa' } };
    const path = `/api/v1/namespaces/stoa/pods/${name}/eviction`;
    return server.kubectl('create', '--raw', path, '-f', file('eviction', eviction));
  };

  it.each([1, 2, 3])(
    'is admitted where none of %i is ready, since the drain took the engines first',
    async (total) => {
      for (const name of await prepare(total, 0, budget)) expect(await evict(name)).toContain('"Success"');
    },
  );

  it.each([1, 2, 3])('is admitted for one of %i ready pods, but not for a second one', async (total) => {
    const [first, ...others] = await prepare(total, total, budget);
    expect(await evict(first!)).toContain('"Success"');
    for (const name of others) await expect(evict(name)).rejects.toThrow('Cannot evict pod');
  });

  it('would be refused forever by a budget that protects unready pods', async () => {
    const { unhealthyPodEvictionPolicy: _, ...spec } = budget.spec as Budget & {
      unhealthyPodEvictionPolicy: string;
    };
    const [only] = await prepare(1, 0, { ...budget, spec });
    await expect(evict(only!)).rejects.toThrow('Cannot evict pod');
  });
});
