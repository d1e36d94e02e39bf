import { type App, apps, hasDatabase, inRepository } from '@stoa/system';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { allSettings, type EnvironmentSchema } from '../src/app-settings.ts';
import { environmentOf } from '../src/environment.ts';
import { containersOf, type KubeObject, nameOf, workloadsOf } from '../src/objects.ts';
import { renderMix } from '../src/render.ts';
import { kustomize } from './built.ts';

/** Of each replica, beside its pool: one for health, one for the outbox relay. */
const besidePool = 2;
/** Postgres' own preset of superuser_reserved_connections. */
const reserved = 3;
/** Migrations of a release, made while all old replicas still run: Prisma's, and its schema engine's. */
const migrating = 2;

interface Autoscaler extends KubeObject {
  readonly spec: { readonly maxReplicas: number; readonly scaleTargetRef: { readonly name: string } };
}
interface Rollout {
  readonly replicas?: number;
  readonly strategy?: { readonly rollingUpdate?: { readonly maxSurge?: number } };
}

const isAutoscaler = (object: KubeObject): object is Autoscaler => object.kind === 'HorizontalPodAutoscaler';

/** What the Postgres of these objects takes. */
function mostConnections(objects: readonly KubeObject[]): number {
  const cluster = objects.find(({ kind }) => kind === 'Cluster')?.spec as
    { postgresql: { parameters: { max_connections: string } } } | undefined;
  if (cluster) return Number(cluster.postgresql.parameters.max_connections);
  const text = readFileSync(inRepository('deploy/postgres/postgresql.conf'), 'utf8');
  return Number(/^max_connections = (\d+)$/m.exec(text)?.[1]);
}

describe('the connections of Postgres', () => {
  let settings: Record<App, EnvironmentSchema>;
  beforeAll(async () => {
    settings = await allSettings();
  });

  it.each([
    ['postgres', []],
    ['postgres', ['autoscaling']],
    ['cloudnative-pg', ['autoscaling']],
  ] as const)(
    'are enough for every pool during a rollout, with the component %s and %s',
    async (postgres, more) => {
      const mix = ['nats', postgres, 'minio', 'keycloak', 'mail', ...more, 'images'];
      const objects = await renderMix(kustomize, mix);
      const mainOf = (name: string) => {
        const workload = workloadsOf(objects).find((one) => nameOf(one) === name);
        if (!workload) throw new Error(`There is no ${name}.`);
        const main = containersOf(workload).find((container) => ['app', name].includes(container.name));
        const environment = environmentOf(main!, workload.spec.template, objects, (key) => key);
        return { rollout: workload.spec as Rollout, environment };
      };

      const ofServices = apps.filter(hasDatabase).map((app) => {
        const { rollout, environment } = mainOf(app);
        const { DATABASE_POOL } = settings[app].parse(environment) as { DATABASE_POOL: number };
        const scaled = objects.filter(isAutoscaler).find(({ spec }) => spec.scaleTargetRef.name === app);
        const most = scaled?.spec.maxReplicas ?? rollout.replicas ?? 1;
        const surge = rollout.strategy?.rollingUpdate?.maxSurge ?? 1;
        // Public reads have a pool of their own, in the same Postgres where there are no replicas.
        const pools = 'DATABASE_READ_URL' in settings[app].shape ? 2 : 1;
        return (most + surge) * (pools * DATABASE_POOL + besidePool) + migrating;
      });
      const ofKeycloak = Number(mainOf('keycloak').environment['KC_DB_POOL_MAX_SIZE']);

      expect(ofServices).toHaveLength(5);
      const all = ofServices.reduce((sum, one) => sum + one, ofKeycloak + reserved);
      expect(all).toBeLessThanOrEqual(mostConnections(objects));
    },
  );

  it('the autoscaler alone sets the number of replicas', async () => {
    const mix = ['nats', 'postgres', 'minio', 'keycloak', 'mail', 'autoscaling', 'images'];
    const objects = await renderMix(kustomize, mix);
    const scaled = objects.filter(isAutoscaler).map(({ spec }) => spec.scaleTargetRef.name);
    expect(scaled.toSorted()).toEqual(apps.toSorted());
    const numbered = workloadsOf(objects).filter(({ spec }) => spec.replicas !== undefined);
    expect(numbered.map(nameOf).filter((name) => scaled.includes(name))).toEqual([]);
  });
});
