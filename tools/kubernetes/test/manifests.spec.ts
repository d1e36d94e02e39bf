import { apps, type App, hasDatabase, inRepository, storageKeys } from '@stoa/system';
import { readdirSync, readFileSync } from 'node:fs';
import { BackupEnvironment } from '@stoa/system/settings/backup-settings';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { allSettings, type EnvironmentSchema, reads } from '../src/app-settings.ts';
import { environmentOf, unreadVariables } from '../src/environment.ts';
import { components, componentSets, overlays } from '../src/component-sets.ts';
import { containersOf, type KubeObject, nameOf, type Workload, workloadsOf } from '../src/objects.ts';
import { render, renderComponents } from '../src/render.ts';
import { kustomize } from './built.ts';

interface Named {
  readonly name: string;
}

interface CronJob extends KubeObject {
  readonly spec: {
    readonly jobTemplate: {
      readonly spec: {
        readonly template: {
          readonly spec: {
            readonly containers: [{ args: string[]; env: Named[]; volumeMounts: Named[] }];
            readonly volumes: Named[];
          };
        };
      };
    };
  };
}

/** The keys that an app may have; no app has another's. */
const ownSecrets = (app: App): string[] => [
  `NATS_${app.toUpperCase()}_PASSWORD`,
  ...(hasDatabase(app) ? [`POSTGRES_${app.toUpperCase()}_PASSWORD`] : []),
  ...({
    contact: ['CONTACT_SENDER_KEY'],
    edge: ['EDGE_DEVICE_KEY'],
    identity: ['KEYCLOAK_IDENTITY_SECRET'],
    gateway: ['HASH_KEY'],
    media: storageKeys.flatMap((name) => [
      `S3_${name.toUpperCase()}_ACCESS_KEY`,
      `S3_${name.toUpperCase()}_SECRET_KEY`,
    ]),
  }[app as string] ?? []),
];
const mailers = ['contact', 'identity'];
const mailSecrets = ['SMTP_PASSWORD', 'SMTP_USER'];

interface Budget {
  readonly maxUnavailable?: number;
  readonly minAvailable?: number;
  readonly unhealthyPodEvictionPolicy?: string;
}

/** Whether the API server evicts a pod, by the rules of its eviction subresource. */
function mayGo(budget: Budget, pods: { ready: number; total: number }, isReady: boolean): boolean {
  const { maxUnavailable, minAvailable = pods.total - (maxUnavailable ?? 0) } = budget;
  const desired = Math.max(0, minAvailable);
  if (pods.ready > desired) return true;
  if (isReady) return false;
  return budget.unhealthyPodEvictionPolicy === 'AlwaysAllow' || (pods.ready >= desired && desired > 0);
}

const sets = [
  ...overlays.map((name) => ({
    name: `overlay ${name}`,
    draw: () => render(kustomize, inRepository('k8s/overlays', name)),
  })),
  ...componentSets().map(({ name, components }) => ({
    name: `set ${name}`,
    draw: () => renderComponents(kustomize, components),
  })),
];

it.each(sets)('lets a drain end at any replica count in the $name', async ({ draw }) => {
  const budgets = (await draw()).filter(({ kind }) => kind === 'PodDisruptionBudget');
  expect(budgets.length).toBeGreaterThanOrEqual(apps.length);
  // A drain has evicted the engines first, so no pod of the app is ready. NATS itself waits, since two of
  // three servers form its majority.
  const stuck = budgets.flatMap(({ metadata: { name }, spec }) =>
    [1, 2, 3, 6]
      .filter(
        (total) =>
          !mayGo(spec as Budget, { ready: total, total }, true) ||
          (apps.includes(name as App) && !mayGo(spec as Budget, { ready: 0, total }, false)),
      )
      .map((total) => `${name} of ${total}`),
  );
  expect(stuck).toEqual([]);
});

it('every component is in a tested set', () => {
  const mixed = new Set(componentSets().flatMap((set) => set.components));
  expect([...mixed].toSorted()).toEqual(components);
});

const read = (...parts: string[]) => parse(readFileSync(inRepository(...parts), 'utf8')) as unknown;

it('runs the engines in the versions of docker-compose.yml', () => {
  const compose = read('docker-compose.yml') as Record<string, Record<string, string>>;
  const { images } = read('k8s/components/images/kustomization.yaml') as {
    images: { name: string; newName?: string; newTag: string }[];
  };
  const engines = images.filter(({ name }) => !name.startsWith('stoa/'));
  const { node, ...pinned } = compose['x-images'] ?? {};
  expect(node).toBeDefined();
  expect(engines.map(({ name, newName = name, newTag }) => `${newName}:${newTag}`).toSorted()).toEqual(
    Object.values(pinned).toSorted(),
  );
});

it('gives backups to a bucket their place and key, and no volume', async () => {
  const parts = ['nats', 'postgres', 'minio', 'keycloak', 'mail', 'backup-s3', 'images'];
  const objects = await renderComponents(kustomize, parts);
  const cronJob = objects.find(({ kind, metadata }) => kind === 'CronJob' && metadata.name === 'backup');
  const { template } = (cronJob as CronJob).spec.jobTemplate.spec;
  const [{ args, env, volumeMounts }] = template.spec.containers;
  expect(args).toEqual(['tools/stack/src/main.ts', 'backup', '$(BACKUP_PLACE)', '--keep-days', '30']);
  const given = env.map(({ name }) => name).filter((name) => name.startsWith('BACKUP_'));
  const read = Object.keys(BackupEnvironment.shape);
  expect(given.toSorted()).toEqual(
    ['BACKUP_PLACE', 'BACKUP_RECIPIENT', 'BACKUP_SIGNING_KEY', ...read].toSorted(),
  );
  expect(volumeMounts.map(({ name }) => name)).toEqual(['tmp']);
  expect(template.spec.volumes.map(({ name }) => name)).toEqual(['tmp']);
});

it.each([
  ['prometheus', 'rules'],
  ['grafana', 'dashboards'],
])('the ConfigMap has every file of deploy/%s/%s', (thing, folder) => {
  const { configMapGenerator } = read('deploy', thing, 'kustomization.yaml') as {
    configMapGenerator: { files: string[] }[];
  };
  const taken = configMapGenerator
    .flatMap(({ files }) => files)
    .filter((file) => file.startsWith(`${folder}/`));
  const there = readdirSync(inRepository('deploy', thing, folder)).filter((file) => !file.endsWith('.md'));
  expect(taken.toSorted()).toEqual(there.map((file) => `${folder}/${file}`).toSorted());
});

describe('the Ingresses of the overlay production', () => {
  it('route sign-in and media through edge, the site to the gateway [kubernetes-1]', async () => {
    const objects = await render(kustomize, inRepository('k8s/overlays/production'));
    const { data = {} } = objects.find(
      ({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.startsWith('settings'),
    )!;
    const host = (name: string) => new URL(data[name] ?? '').host;
    const entryPoints = objects
      .filter(({ kind }) => kind === 'Ingress')
      .flatMap(({ spec }) => (spec as IngressSpec).rules)
      .flatMap(({ host: name, http }) =>
        http.paths.map(({ path, backend: { service } }) => [name, path, service.name, service.port.name]),
      );
    expect(entryPoints.toSorted()).toEqual([
      [host('KEYCLOAK_PUBLIC_URL'), '/', 'edge', 'sign-in'],
      [host('S3_PUBLIC_ENDPOINT'), '/', 'edge', 'media'],
      [host('SITE_URL'), '/', 'gateway', 'http'],
    ]);
    // If an engine's internal address were that of its proxy, edge would call itself.
    expect(data['KEYCLOAK_INTERNAL_URL']).not.toBe(data['KEYCLOAK_PUBLIC_URL']);
    expect(data['S3_ENDPOINT']).not.toBe(data['S3_PUBLIC_ENDPOINT']);
    for (const app of ['gateway', 'edge']) {
      const workload = workloadsOf(objects).find((one) => nameOf(one) === app)!;
      const environment = environmentOf(
        containersOf(workload)[0]!,
        workload.spec.template,
        objects,
        (key) => key,
      );
      expect(environment).toMatchObject({
        TRUST_PROXY: '1',
        TRUST_PROXY_FROM: expect.stringMatching(/\//) as unknown,
      });
    }
  });
});

interface IngressSpec {
  readonly rules: readonly {
    readonly host: string;
    readonly http: {
      readonly paths: readonly {
        readonly path: string;
        readonly backend: {
          readonly service: { readonly name: string; readonly port: { readonly name: string } };
        };
      }[];
    };
  }[];
}

describe.each(overlays)('the overlay %s', (overlay) => {
  let objects: KubeObject[];
  let workloads: Workload[];
  let settings: Record<App, EnvironmentSchema>;
  beforeAll(async () => {
    objects = await render(kustomize, inRepository('k8s/overlays', overlay));
    workloads = workloadsOf(objects);
    settings = await allSettings();
  });
  const workload = (name: string) => {
    const found = workloads.find((one) => nameOf(one) === name);
    if (!found) throw new Error(`${overlay} has no ${name}.`);
    return found;
  };
  const mainOf = (name: string) =>
    containersOf(workload(name)).findIndex((container) => container.name === 'app');
  const environment = (name: string, container: number) => {
    const { template } = workload(name).spec;
    return environmentOf(containersOf(workload(name))[container]!, template, objects, (key) =>
      // A key has at least 16 characters.
      `the-${key}`.padEnd(16, '-'),
    );
  };

  it.each(apps)('gives %s settings that its schema accepts', (app) => {
    const parsed = settings[app].safeParse(environment(app, mainOf(app)));
    expect(parsed.error?.issues ?? []).toEqual([]);
    expect(parsed.data).toMatchObject({ SERVICE_NAME: app, NATS_USER: app });
  });

  it.each(apps)('gives %s only settings that it reads', (app) => {
    const own = containersOf(workload(app))[mainOf(app)]!;
    expect(own.env?.length).toBeGreaterThan(0);
    expect(unreadVariables(own, (name) => reads(settings[app], name))).toEqual([]);
  });

  it.each(apps.filter(hasDatabase))('starts %s only once its database is migrated', (app) => {
    const [gate, main] = containersOf(workload(app));
    expect(gate?.image).toBe(main?.image);
    expect(environment(app, 0)['DATABASE_URL']).toBe(environment(app, 1)['DATABASE_URL']);
    expect(environment(app, 0)['DATABASE_URL']).toContain(
      `//${app}:the-POSTGRES_${app.toUpperCase()}_PASSWORD@`,
    );
  });

  it.each(apps)('gives %s its own secrets only [kubernetes-2]', (app) => {
    const variables = containersOf(workload(app)).flatMap(({ env = [] }) => env);
    const keys = variables.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.key ?? []);
    const own = [
      ...ownSecrets(app),
      ...(mailers.includes(app) && overlay === 'production' ? mailSecrets : []),
    ];
    expect([...new Set(keys)].toSorted()).toEqual(own.toSorted());
  });

  it('gives NATS the password of every user in its configuration', () => {
    const nats = workloads.find((one) => nameOf(one) === 'nats');
    const given = (nats ? containersOf(nats) : []).flatMap(({ env = [] }) => env.map(({ name }) => name));
    const named = readFileSync(inRepository('deploy/nats/nats.conf'), 'utf8').matchAll(/\$(NATS_\w+)/g);
    expect(given).toEqual(expect.arrayContaining(nats ? [...named].map(([, name]) => name) : []));
  });

  it('has no object of the kind Secret', () => {
    expect(objects.filter(({ kind }) => kind === 'Secret')).toEqual([]);
  });

  it.each(apps)(
    'gives %s a grace period longer than its shutdown, and no missing replica in a rollout',
    async (app) => {
      const { strategy, template } = workload(app).spec;
      expect(strategy).toMatchObject({ rollingUpdate: { maxUnavailable: 0 } });
      const { shutdownTimeoutMs } = (await import(inRepository('libs/platform/src/start-service.ts'))) as {
        shutdownTimeoutMs: number;
      };
      const delayMs = Number(environment(app, mainOf(app))['SHUTDOWN_DELAY_MS'] ?? 0);
      const graceMs = (template.spec.terminationGracePeriodSeconds ?? 30) * 1000;
      expect(graceMs).toBeGreaterThan(delayMs + shutdownTimeoutMs);
      // An app behind a Service keeps answering until its endpoint is removed.
      const service = objects.some(({ kind, metadata }) => kind === 'Service' && metadata.name === app);
      expect(delayMs > 0).toBe(service);
    },
  );

  it('probes every container, and the liveness of apps without their engines', () => {
    const unprobed = workloads
      .filter(({ kind }) => kind !== 'Job' && kind !== 'CronJob')
      .flatMap(({ spec }) => spec.template.spec.containers)
      .filter(
        ({ startupProbe, readinessProbe, livenessProbe }) =>
          !(startupProbe && readinessProbe && livenessProbe),
      );
    expect(unprobed.map(({ name }) => name)).toEqual([]);
    for (const app of apps) {
      const main = containersOf(workload(app)).find(({ name }) => name === 'app');
      expect(main?.livenessProbe?.httpGet?.path).toBe('/health/live');
      const { periodSeconds, failureThreshold, terminationGracePeriodSeconds } = main?.livenessProbe ?? {};
      expect(Number(periodSeconds) * Number(failureThreshold)).toBe(5);
      expect(terminationGracePeriodSeconds).toBe(1);
      expect(main?.readinessProbe?.httpGet?.path).toBe('/health/ready');
    }
  });

  it('sets resource requests and limits of every container', () => {
    const amounts = { cpu: expect.any(String) as unknown, memory: expect.any(String) as unknown };
    const described = workloads.flatMap(containersOf).map(({ name, resources }) => ({ name, resources }));
    for (const container of described)
      expect(container).toMatchObject({ resources: { requests: amounts, limits: amounts } });
  });

  it('mounts no service account token in a pod', () => {
    const accounts = objects.filter(({ kind }) => kind === 'ServiceAccount');
    expect(accounts.map(({ metadata }) => metadata.name)).toEqual(apps.toSorted());
    for (const account of accounts) expect(account.automountServiceAccountToken).toBe(false);
    for (const { spec } of workloads) expect(spec.template.spec.automountServiceAccountToken).toBe(false);
  });

  it('labels every Job for the command of an upgrade that deletes it', () => {
    const jobs = workloads.filter(({ kind }) => kind === 'Job');
    expect(jobs.map(nameOf)).toContain('migrate');
    for (const { metadata } of jobs)
      expect(metadata.labels).toMatchObject({ 'app.kubernetes.io/component': 'set-up' });
    const upgrade = readFileSync(inRepository('docs/operate/upgrade.md'), 'utf8');
    expect(upgrade).toContain('delete job -l app.kubernetes.io/component=set-up');
  });

  it('pins every image', () => {
    const images = workloads.flatMap(containersOf).map(({ image }) => image);
    expect(images.filter((image) => !/:[^/:]+$/.test(image))).toEqual([]);
  });

  it('gives every app a PodDisruptionBudget of one replica', () => {
    for (const app of apps) {
      const budget = objects.find(
        ({ kind, metadata }) => kind === 'PodDisruptionBudget' && metadata.name === app,
      );
      expect(budget?.spec).toEqual({
        maxUnavailable: 1,
        unhealthyPodEvictionPolicy: 'AlwaysAllow',
        selector: { matchLabels: { 'app.kubernetes.io/name': app } },
      });
      expect(workload(app).spec.template.spec.topologySpreadConstraints).toHaveLength(2);
    }
  });
});
