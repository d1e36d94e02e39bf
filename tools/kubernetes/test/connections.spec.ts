import { type App, apps, hasDatabase, inRepository } from '@stoa/system';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { allSettings, type EnvironmentSchema } from '../src/app-settings.ts';
import { environmentOf } from '../src/environment.ts';
import { containersOf, type KubeObject, nameOf, workloadsOf } from '../src/objects.ts';
import { renderComponents } from '../src/render.ts';
import { kustomize } from './built.ts';

/** Postgres connections of a replica outside its pool: one for health, one for the outbox relay. */
const besidePool = 2;
/** Postgres' default of superuser_reserved_connections. */
const reserved = 3;
/** Postgres connections of the metrics exporter; its role limits them. */
const measuring = 3;
/**
 * Connections of migrations, which run while all old replicas still run: Prisma's and its schema engine's.
 */
const migrating = 2;

interface Autoscaler extends KubeObject {
  readonly spec: { readonly maxReplicas: number; readonly scaleTargetRef: { readonly name: string } };
}
interface Rollout {
  readonly replicas?: number;
  readonly strategy?: { readonly rollingUpdate?: { readonly maxSurge?: number } };
}

const isAutoscaler = (object: KubeObject): object is Autoscaler => object.kind === 'HorizontalPodAutoscaler';

/** The connection limit of the Postgres in these objects. */
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
    ['postgres', ['keycloak-cluster', 'autoscaling', 'metrics']],
  ] as const)(
    'are enough for every pool during a rollout, with the component %s and %s',
    async (postgres, more) => {
      const chosen = ['nats', postgres, 'minio', 'keycloak', 'mail', ...more, 'images'];
      const objects = await renderComponents(kustomize, chosen);
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
        // Public reads have a pool of their own, which uses the same Postgres if there are no read replicas.
        const pools = 'DATABASE_READ_URL' in settings[app].shape ? 2 : 1;
        return (most + surge) * (pools * DATABASE_POOL + besidePool) + migrating;
      });
      const keycloak = mainOf('keycloak');
      // With the strategy Recreate, the old pod stops before the new one starts.
      const pods =
        (keycloak.rollout.replicas ?? 1) + (keycloak.rollout.strategy?.rollingUpdate?.maxSurge ?? 0);
      const ofKeycloak = pods * Number(keycloak.environment['KC_DB_POOL_MAX_SIZE']);

      expect(ofServices).toHaveLength(5);
      const all = ofServices.reduce((sum, one) => sum + one, ofKeycloak + reserved + measuring);
      expect(all).toBeLessThanOrEqual(mostConnections(objects));
    },
  );

  it('only the autoscaler sets the number of replicas', async () => {
    const chosen = ['nats', 'postgres', 'minio', 'keycloak', 'mail', 'autoscaling', 'images'];
    const objects = await renderComponents(kustomize, chosen);
    const scaled = objects.filter(isAutoscaler).map(({ spec }) => spec.scaleTargetRef.name);
    expect(scaled.toSorted()).toEqual(apps.toSorted());
    const numbered = workloadsOf(objects).filter(({ spec }) => spec.replicas !== undefined);
    expect(numbered.map(nameOf).filter((name) => scaled.includes(name))).toEqual([]);
  });
});
