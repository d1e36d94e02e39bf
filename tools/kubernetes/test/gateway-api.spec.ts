import { beforeAll, describe, expect, it } from '@jest/globals';
import { type KubeObject } from '../src/objects.ts';
import { renderComponents } from '../src/render.ts';
import { kustomize } from './built.ts';

interface Rule {
  readonly matches?: readonly { readonly method?: string }[];
  readonly retry: { readonly attempts: number };
  readonly backendRefs: readonly { readonly name: string; readonly port: number }[];
}

interface Route {
  readonly parentRefs: readonly { readonly name: string; readonly sectionName: string }[];
  readonly rules: readonly Rule[];
}

interface Gateway {
  readonly listeners: readonly { readonly name: string; readonly protocol: string }[];
}

interface BackendTls {
  readonly targetRefs: readonly { readonly kind: string; readonly name: string }[];
  readonly validation: { readonly hostname: string; readonly caCertificateRefs: readonly object[] };
}

const engines = ['nats', 'network-policies', 'postgres', 'minio', 'keycloak', 'mail'];

describe('the component gateway-api', () => {
  let objects: KubeObject[];
  beforeAll(async () => {
    objects = await renderComponents(kustomize, [
      ...engines,
      'gateway-api',
      'tls',
      'gateway-api-tls',
      'images',
    ]);
  });
  const specs = <Spec>(wanted: string) =>
    objects.filter(({ kind }) => kind === wanted).map(({ spec }) => spec as Spec);
  const routes = () => specs<Route>('HTTPRoute');

  it('routes each TLS listener to one port of gateway or edge', () => {
    const [{ listeners }] = specs<Gateway>('Gateway') as [Gateway];
    expect(listeners.map(({ protocol }) => protocol)).toEqual(['HTTPS', 'HTTPS', 'HTTPS']);
    const places = routes().flatMap(({ parentRefs, rules }) =>
      parentRefs.map(({ name, sectionName }) => [
        name,
        sectionName,
        ...new Set(rules.flatMap(({ backendRefs }) => backendRefs.map((to) => `${to.name}:${to.port}`))),
      ]),
    );
    expect(places.toSorted()).toEqual([
      ['stoa', 'media', 'edge:9000'],
      ['stoa', 'sign-in', 'edge:8180'],
      ['stoa', 'site', 'gateway:8080'],
    ]);
    expect(places.map(([, section]) => section).toSorted()).toEqual(
      listeners.map(({ name }) => name).toSorted(),
    );
  });

  it('retries reads, but no request that must not be sent twice', () => {
    const retried = routes()
      .flatMap(({ rules }) => rules)
      .filter(({ retry }) => retry.attempts > 0)
      .map(({ matches }) => (matches ?? [{}]).map(({ method }) => method));
    expect(retried).toEqual([['GET', 'HEAD']]);
  });

  it('verifies the certificates of gateway and edge by their names', () => {
    const authority = [{ group: '', kind: 'ConfigMap', name: 'stoa-authority' }];
    expect(
      specs<BackendTls>('BackendTLSPolicy').toSorted((a, b) =>
        a.validation.hostname < b.validation.hostname ? -1 : 1,
      ),
    ).toEqual(
      ['edge', 'gateway'].map((name) => ({
        targetRefs: [{ group: '', kind: 'Service', name }],
        validation: { hostname: name, caCertificateRefs: authority },
      })),
    );
  });

  it('needs no annotations or kinds of a particular controller', () => {
    const own = objects.filter(({ apiVersion }) => apiVersion.startsWith('gateway.networking.k8s.io/'));
    expect(own.map(({ apiVersion }) => apiVersion)).toEqual(own.map(() => 'gateway.networking.k8s.io/v1'));
    expect(
      own.flatMap(({ metadata }) => Object.keys((metadata as { annotations?: object }).annotations ?? {})),
    ).toEqual([]);
    expect(objects.filter(({ kind }) => kind === 'Ingress')).toEqual([]);
  });
});
