import { apps, type App } from '@stoa/system';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { allSettings, type EnvironmentSchema } from '../src/app-settings.ts';
import { environmentOf } from '../src/environment.ts';
import { containersOf, type KubeObject, nameOf, type Workload, workloadsOf } from '../src/objects.ts';
import { renderComponents } from '../src/render.ts';
import { kustomize } from './built.ts';

const engines = ['nats', 'postgres', 'minio', 'keycloak'];
const entryPoints = ['gateway', 'edge'];
const authority = { secretName: 'stoa-authority', items: [{ key: 'ca.crt', path: 'ca.crt' }] };
const ingresses = ['ingress', 'ingress-engines'];

describe.each([
  ['the engines inside', ['nats', 'postgres', 'minio', 'keycloak', 'mail']],
  [
    'a NATS of three and versitygw',
    ['nats', 'nats-cluster', 'postgres', 'minio', 'versitygw', 'keycloak', 'mail'],
  ],
])('the component tls with %s', (_name, components) => {
  let objects: KubeObject[];
  let workloads: Workload[];
  let settings: Record<App, EnvironmentSchema>;
  beforeAll(async () => {
    objects = await renderComponents(kustomize, [...components, ...ingresses, 'tls', 'images']);
    workloads = workloadsOf(objects);
    // The volume claim that operators create for backups, see docs/operate/backup.md.
    objects.push({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'backup' },
      data: { recipient: 'age1…' },
    });
    settings = await allSettings();
  });
  const find = (name: string) => workloads.find((one) => nameOf(one) === name)!;
  const secretsOf = ({ spec }: Workload) =>
    (spec.template.spec.volumes ?? []).flatMap(({ secret }) => secret ?? []);
  const environments = (workload: Workload) =>
    containersOf(workload).map((container) =>
      environmentOf(container, workload.spec.template, objects, (key) => key.padEnd(16, '-')),
    );

  it.each(apps)('gives %s only TLS addresses of engines', (app) => {
    for (const environment of environments(find(app))) {
      const reached = Object.entries(settings[app].shape)
        .filter(([, type]) =>
          ['nats', 'postgres', 's3', 'keycloak'].includes(String(type.meta()?.['reaches'])),
        )
        .flatMap(([name]) => environment[name] ?? []);
      expect(reached.length).toBeGreaterThan(0);
      expect(
        reached.filter((url) => !/^(tls|https):|^postgresql:.*\?sslmode=verify-full$/.test(url)),
      ).toEqual([]);
    }
  });

  it('makes every app and set-up step trust only the given authority, without its key', () => {
    const clients = workloads.filter((one) => /Job$/.test(one.kind) || apps.includes(nameOf(one) as App));
    expect(clients.length).toBe(apps.length + 9);
    for (const client of clients) {
      const others = secretsOf(client).filter(({ secretName }) => secretName !== `${nameOf(client)}-tls`);
      expect(others).toEqual([authority]);
      for (const container of containersOf(client))
        expect(container.volumeMounts).toContainEqual({
          name: 'authority',
          mountPath: '/certificates',
          readOnly: true,
        });
      for (const environment of environments(client))
        expect(environment).toMatchObject({
          NODE_OPTIONS: '--use-openssl-ca',
          SSL_CERT_FILE: '/certificates/ca.crt',
          SSL_CERT_DIR: '/certificates',
        });
    }
  });

  it.each([...engines, ...entryPoints])('mounts the certificate of %s in no other workload', (name) => {
    const holders = workloads.filter((one) =>
      secretsOf(one).some(({ secretName }) => secretName === `${name}-tls`),
    );
    expect(holders.map(nameOf)).toEqual([name]);
  });

  it('makes Keycloak verify Postgres by the given authority', () => {
    const [keycloak] = find('keycloak').spec.template.spec.containers;
    expect(secretsOf(find('keycloak'))).toContainEqual(authority);
    expect(keycloak?.volumeMounts).toContainEqual({
      name: 'authority',
      mountPath: '/authority',
      readOnly: true,
    });
    expect(environments(find('keycloak'))).toContainEqual(
      expect.objectContaining({
        KC_DB_URL: expect.stringMatching(/sslmode=verify-full&sslrootcert=\/authority\/ca\.crt$/),
      }),
    );
  });

  it.each([
    ['stoa', 'gateway'],
    ['stoa-engines', 'edge'],
  ])(
    'makes the controller of the Ingress %s call %s over HTTPS and verify its certificate [kubernetes-5]',
    (name, proxy) => {
      const { metadata } = objects.find((one) => one.kind === 'Ingress' && one.metadata.name === name)!;
      const { annotations } = metadata as { annotations?: object };
      const annotation = (key: string) => `nginx.ingress.kubernetes.io/${key}`;
      expect(annotations).toMatchObject({
        [annotation('backend-protocol')]: 'HTTPS',
        [annotation('proxy-ssl-verify')]: 'on',
        [annotation('proxy-ssl-secret')]: 'stoa/stoa-authority',
        [annotation('proxy-ssl-name')]: proxy,
      });
      expect(environments(find(proxy))).toContainEqual(
        expect.objectContaining({ TLS_DIR: '/own-certificate' }),
      );
    },
  );

  it('connects the servers of a NATS cluster over TLS', () => {
    const [server] = containersOf(find('nats'));
    const clustered = components.includes('nats-cluster');
    expect(server?.args?.[1]).toBe(`/etc/nats/${clustered ? 'cluster-tls' : 'nats'}.conf`);
    expect(secretsOf(find('nats')).filter((secret) => secret.secretName === 'stoa-authority')).toEqual(
      clustered ? [authority] : [],
    );
  });

  it('probes the object store over HTTPS', () => {
    const [store] = containersOf(find('minio'));
    for (const probe of [store?.startupProbe, store?.readinessProbe, store?.livenessProbe])
      expect(probe?.httpGet).toMatchObject({ scheme: 'HTTPS' });
  });
});
