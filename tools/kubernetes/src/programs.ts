import { buildGoModule, type GoModule, goModulePath, type plainReporter, Problem, run } from '@stoa/system';
import { pins } from '@stoa/system/fetch/pins';
import { copyFileSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';

type Task = ReturnType<ReturnType<typeof plainReporter>['task']>;

// The operator's custom resources, from the module that the operator itself is built from.
const cloudNativePg = 'github.com/cloudnative-pg/cloudnative-pg@v1.28.0';
const gatewayApi = `${pins.gatewayApi.module}@v${pins.gatewayApi.version}`;
/** The custom resources that are used, in the modules that define them. */
const definitions = [
  { module: cloudNativePg, folder: 'config/crd/bases', files: ['postgresql.cnpg.io_clusters.yaml'] },
  {
    module: gatewayApi,
    folder: 'config/crd/standard',
    files: ['gateways', 'httproutes', 'backendtlspolicies'].map(
      (name) => `gateway.networking.k8s.io_${name}.yaml`,
    ),
  },
];

const module: GoModule = {
  folder: join(import.meta.dirname, '../programs'),
  name: 'kubernetes',
  cost: 'some minutes and 3 GB of memory',
  // Kubernetes' larger packages take more than 1 GB each to compile.
  parallel: 2,
  beside: `${cloudNativePg} ${gatewayApi}`,
  complete: async (programs, task) => {
    // etcd's main package lies in a folder of that name.
    renameSync(join(programs, 'server'), join(programs, 'etcd'));
    task.update('fetching the custom resources of CloudNativePG and the Gateway API');
    await fetchDefinitions(join(programs, 'definitions'));
  },
};

/** What the checks of k8s/ run: a real API server with its store, the client, and the schema check. */
export interface Programs {
  readonly apiServer: string;
  readonly etcd: string;
  readonly kubectl: string;
  readonly kubeconform: string;
  /** Folder of the custom resources that are used. */
  readonly definitions: string;
}

const inFolder = (folder: string): Programs => ({
  apiServer: join(folder, 'kube-apiserver'),
  etcd: join(folder, 'etcd'),
  kubectl: join(folder, 'kubectl'),
  kubeconform: join(folder, 'kubeconform'),
  definitions: join(folder, 'definitions'),
});

/** The programs, if `npm run stoa build-program kubernetes` has built them in their present versions. */
export function builtPrograms(): Programs | undefined {
  const folder = goModulePath(module);
  return existsSync(folder) ? inFolder(folder) : undefined;
}

/** Builds the programs from the pinned sources. */
export async function buildPrograms(task: Task): Promise<Programs> {
  return inFolder(await buildGoModule(module, task));
}

async function fetchDefinitions(target: string): Promise<void> {
  mkdirSync(target);
  for (const { module: from, folder, files } of definitions) {
    const source = join(await folderOf(from), folder);
    for (const name of files) copyFileSync(join(source, name), join(target, name));
  }
}

/** The folder of a module's source. Go fetches a module that is written for a newer Go, too, but fails afterwards. */
async function folderOf(source: string): Promise<string> {
  const said = await run('go', ['mod', 'download', '-json', source], { cwd: module.folder }).catch(String);
  const cache = (await run('go', ['env', 'GOMODCACHE'], { cwd: module.folder })).trim();
  const folder = join(cache, source);
  if (!existsSync(folder)) throw new Problem(`${source} could not be fetched: ${said}`);
  return folder;
}
