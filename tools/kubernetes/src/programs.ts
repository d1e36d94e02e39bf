import {
  buildGoModule,
  cached,
  type GoModule,
  goModulePath,
  type plainReporter,
  Problem,
  run,
} from '@stoa/system';
import { createHash } from 'node:crypto';
import { pins } from '@stoa/system/fetch/pins';
import { copyFileSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';

type Task = ReturnType<ReturnType<typeof plainReporter>['task']>;

// The operator's custom resources come from the module of the operator itself.
const cloudNativePg = 'github.com/cloudnative-pg/cloudnative-pg@v1.28.0';
const gatewayApi = `${pins.gatewayApi.module}@v${pins.gatewayApi.version}`;

interface Definitions {
  readonly module: string;
  readonly folder: string;
  readonly files: readonly string[];
}

/** The custom resources in use, with the modules that define them. */
const definitions: readonly Definitions[] = [
  { module: cloudNativePg, folder: 'config/crd/bases', files: ['postgresql.cnpg.io_clusters.yaml'] },
  {
    module: gatewayApi,
    folder: 'config/crd/standard',
    files: ['gateways', 'httproutes', 'backendtlspolicies'].map(
      (name) => `gateway.networking.k8s.io_${name}.yaml`,
    ),
  },
];

const operator = (
  name: keyof typeof pins.operators,
  folder: string,
  files: readonly string[],
): Definitions => ({
  module: `${pins.operators[name].module}@v${pins.operators[name].version}`,
  folder,
  files,
});

/**
 * Custom resources that only some components and examples use. They are fetched separately from the build.
 */
const furtherDefinitions: readonly Definitions[] = [
  {
    module: cloudNativePg,
    folder: 'config/crd/bases',
    files: ['postgresql.cnpg.io_scheduledbackups.yaml'],
  },
  operator('barmanCloud', 'config/crd/bases', ['barmancloud.cnpg.io_objectstores.yaml']),
  operator(
    'prometheus',
    'example/prometheus-operator-crd',
    ['alertmanagerconfigs', 'alertmanagers', 'podmonitors', 'prometheuses', 'prometheusrules'].map(
      (name) => `monitoring.coreos.com_${name}.yaml`,
    ),
  ),
  operator('keda', 'config/crd/bases', ['keda.sh_scaledobjects.yaml']),
  operator(
    'externalSecrets',
    'config/crds/bases',
    ['externalsecrets', 'secretstores'].map((name) => `external-secrets.io_${name}.yaml`),
  ),
  operator('argoCd', 'manifests/crds', ['application-crd.yaml']),
  operator('fluxKustomize', 'config/crd/bases', ['kustomize.toolkit.fluxcd.io_kustomizations.yaml']),
  operator('fluxSource', 'config/crd/bases', ['source.toolkit.fluxcd.io_gitrepositories.yaml']),
];

const module: GoModule = {
  folder: join(import.meta.dirname, '../programs'),
  name: 'kubernetes',
  cost: 'some minutes and 3 GB of memory',
  // Compiles two packages at a time, because each of Kubernetes' larger ones needs more than 1 GB.
  parallel: 2,
  beside: `${cloudNativePg} ${gatewayApi}`,
  complete: async (programs, task) => {
    // The main package of etcd is called `server`.
    renameSync(join(programs, 'server'), join(programs, 'etcd'));
    task.update('fetching the custom resources of CloudNativePG and the Gateway API');
    await fetchDefinitions(definitions, join(programs, 'definitions'));
  },
};

/** The programs of the checks of k8s/: an API server with its store, kubectl and a schema validator. */
export interface Programs {
  readonly apiServer: string;
  readonly etcd: string;
  readonly kubectl: string;
  readonly kubeconform: string;
  /** Folder of the custom resources in use. */
  readonly definitions: string;
}

const inFolder = (folder: string): Programs => ({
  apiServer: join(folder, 'kube-apiserver'),
  etcd: join(folder, 'etcd'),
  kubectl: join(folder, 'kubectl'),
  kubeconform: join(folder, 'kubeconform'),
  definitions: join(folder, 'definitions'),
});

/** The programs, if `npm run stoa build-program kubernetes` has built their current versions. */
export function builtPrograms(): Programs | undefined {
  const folder = goModulePath(module);
  return existsSync(folder) ? inFolder(folder) : undefined;
}

export async function buildPrograms(task: Task): Promise<Programs> {
  return inFolder(await buildGoModule(module, task));
}

/** Returns the folder of the further custom resources, and fetches them if it is missing. */
export function operatorDefinitions(task: Task): Promise<string> {
  const key = createHash('sha256').update(JSON.stringify(furtherDefinitions)).digest('hex').slice(0, 12);
  return cached(`kubernetes-definitions-${key}`, task, async (target) => {
    task.update('fetching the custom resources of operators');
    await fetchDefinitions(furtherDefinitions, target);
  });
}

async function fetchDefinitions(from: readonly Definitions[], target: string): Promise<void> {
  mkdirSync(target, { recursive: true });
  for (const { module: source, folder, files } of from) {
    const defined = join(await folderOf(source), folder);
    for (const name of files) copyFileSync(join(defined, name), join(target, name));
  }
}

/**
 * The folder of a module's source. For a module that requires a newer Go, `go mod download` prints the folder
 * but fails.
 */
async function folderOf(source: string): Promise<string> {
  const output = await run('go', ['mod', 'download', '-json', source], { cwd: module.folder }).catch(String);
  const cache = (await run('go', ['env', 'GOMODCACHE'], { cwd: module.folder })).trim();
  const folder = join(cache, source);
  if (!existsSync(folder)) throw new Problem(`${source} could not be fetched: ${output}`);
  return folder;
}
