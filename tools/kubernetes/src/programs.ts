import { cached, cachedPath, type plainReporter, Problem, run } from '@stoa/stack';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';

type Task = ReturnType<ReturnType<typeof plainReporter>['task']>;

// The operator's custom resources, from the module that the operator itself is built from.
const cloudNativePg = 'github.com/cloudnative-pg/cloudnative-pg@v1.28.0';
const definitions = ['clusters'].map((name) => `postgresql.cnpg.io_${name}.yaml`);

const module = join(import.meta.dirname, '../programs');
const pinned = createHash('sha256').update(cloudNativePg);
for (const file of ['go.mod', 'go.sum']) pinned.update(readFileSync(join(module, file)));
const key = `kubernetes-${pinned.digest('hex').slice(0, 12)}`;

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

/** The programs, if `npm run kube:build` has built them in their present versions. */
export function builtPrograms(): Programs | undefined {
  return existsSync(cachedPath(key)) ? inFolder(cachedPath(key)) : undefined;
}

/** Builds the programs from the pinned sources, once for all checkouts of this user. */
export async function buildPrograms(task: Task): Promise<Programs> {
  const folder = await cached(key, task, async (target) => {
    task.update('building with Go; this takes some minutes and 3 GB of memory');
    // Two at a time: Kubernetes' larger packages take more than 1 GB each to compile.
    const flags = ['-p', '2', '-trimpath', '-ldflags=-s -w', '-mod=readonly', '-o', `${target}/`];
    await run('go', ['build', ...flags, 'tool'], { cwd: module, env: { ...process.env, CGO_ENABLED: '0' } });
    // etcd's main package lies in a folder of that name.
    renameSync(join(target, 'server'), join(target, 'etcd'));
    task.update('fetching the custom resources of CloudNativePG');
    await fetchDefinitions(join(target, 'definitions'));
  });
  return inFolder(folder);
}

async function fetchDefinitions(target: string): Promise<void> {
  const said = await run('go', ['mod', 'download', '-json', cloudNativePg], { cwd: module });
  const { Dir } = JSON.parse(said.slice(said.indexOf('{'))) as { Dir?: string };
  if (!Dir) throw new Problem(`${cloudNativePg} could not be fetched: ${said}`);
  mkdirSync(target);
  for (const name of definitions) copyFileSync(join(Dir, 'config/crd/bases', name), join(target, name));
}
