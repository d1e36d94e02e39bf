import { buildGoModule, type GoModule, goModulePath, type plainReporter, Problem, run } from '@stoa/system';
import { copyFileSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';

type Task = ReturnType<ReturnType<typeof plainReporter>['task']>;

// The operator's custom resources, from the module that the operator itself is built from.
const cloudNativePg = 'github.com/cloudnative-pg/cloudnative-pg@v1.28.0';
const definitions = ['clusters'].map((name) => `postgresql.cnpg.io_${name}.yaml`);

const module: GoModule = {
  folder: join(import.meta.dirname, '../programs'),
  name: 'kubernetes',
  cost: 'some minutes and 3 GB of memory',
  // Kubernetes' larger packages take more than 1 GB each to compile.
  parallel: 2,
  beside: cloudNativePg,
  complete: async (programs, task) => {
    // etcd's main package lies in a folder of that name.
    renameSync(join(programs, 'server'), join(programs, 'etcd'));
    task.update('fetching the custom resources of CloudNativePG');
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
  const said = await run('go', ['mod', 'download', '-json', cloudNativePg], { cwd: module.folder });
  const { Dir } = JSON.parse(said.slice(said.indexOf('{'))) as { Dir?: string };
  if (!Dir) throw new Problem(`${cloudNativePg} could not be fetched: ${said}`);
  mkdirSync(target);
  for (const name of definitions) copyFileSync(join(Dir, 'config/crd/bases', name), join(target, name));
}
