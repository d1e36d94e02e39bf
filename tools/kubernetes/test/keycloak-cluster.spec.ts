import { clusterEnvironment } from '@stoa/system/testing/keycloak-pair';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { environmentOf } from '../src/environment.ts';
import { containersOf, type KubeObject, nameOf, type Workload, workloadsOf } from '../src/objects.ts';
import { renderComponents } from '../src/render.ts';
import { kustomize } from './built.ts';

const seconds = (text: string) => Number(/^(\d+)s$/.exec(text)?.[1]);
/** Keycloak's default of shutdown-timeout. */
const shutdownTimeout = 10;

describe('the component keycloak-cluster', () => {
  let objects: KubeObject[];
  let keycloak: Workload;
  beforeAll(async () => {
    const parts = ['nats', 'postgres', 'minio', 'keycloak', 'keycloak-cluster', 'mail', 'metrics', 'tls'];
    objects = await renderComponents(kustomize, [...parts, 'images']);
    keycloak = workloadsOf(objects).find((one) => nameOf(one) === 'keycloak')!;
  });
  const environments = () =>
    containersOf(keycloak).map((container) =>
      environmentOf(container, keycloak.spec.template, objects, (key) => key),
    );

  it('runs two pods with the settings that "npm run stoa drill keycloak" proves', () => {
    expect(keycloak.spec.replicas).toBe(2);
    const [, server] = environments();
    expect(server).toMatchObject(clusterEnvironment);
    expect(server).toHaveProperty('KC_CACHE_EMBEDDED_NETWORK_BIND_ADDRESS');
    // The default stack discovers servers through the database; only an older stack would need this variable.
    expect(server).not.toHaveProperty('KC_CACHE_STACK');
  });

  it('replaces one pod after another, and lets each finish its requests', () => {
    expect(keycloak.spec.strategy).toEqual({
      type: 'RollingUpdate',
      rollingUpdate: { maxUnavailable: 0, maxSurge: 1 },
    });
    const { terminationGracePeriodSeconds = 30, topologySpreadConstraints } = keycloak.spec.template.spec;
    expect(terminationGracePeriodSeconds).toBeGreaterThan(
      seconds(clusterEnvironment.KC_SHUTDOWN_DELAY) + shutdownTimeout,
    );
    expect(topologySpreadConstraints).toHaveLength(2);
    const budget = objects.find(
      ({ kind, metadata }) => kind === 'PodDisruptionBudget' && metadata.name === 'keycloak',
    );
    expect(budget?.spec).toMatchObject({ maxUnavailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow' });
  });

  it('is reached by edge, gateway and identity through one Service', () => {
    const reached = workloadsOf(objects)
      .filter((one) => ['edge', 'gateway', 'identity'].includes(nameOf(one)))
      .flatMap((one) =>
        containersOf(one).map((container) =>
          environmentOf(container, one.spec.template, objects, (key) => key),
        ),
      )
      .map(({ KEYCLOAK_INTERNAL_URL }) => KEYCLOAK_INTERNAL_URL);
    expect(new Set(reached)).toEqual(new Set(['https://keycloak:8080']));
    const service = objects.find(({ kind, metadata }) => kind === 'Service' && metadata.name === 'keycloak');
    expect(service?.spec).toMatchObject({ selector: { 'app.kubernetes.io/name': 'keycloak' } });
  });

  it('enables the metrics option of its build', () => {
    // With --optimized Keycloak refuses to start if this option differs from the build.
    expect(environments().map(({ KC_METRICS_ENABLED }) => KC_METRICS_ENABLED)).toEqual(['true', 'true']);
  });
});
