import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Task } from '../progress.ts';
import { cached, cachedPath } from './cache.ts';
import { pins } from './pins.ts';
import { runFetch } from './run-fetch.ts';
import { atLeast, versionOf } from './versions.ts';

interface GoProgram {
  name: string;
  title: string;
  module: string;
  version: string;
  oldest: string;
  /** How the program on PATH is asked for its version, by `--version` where nothing is said, and how it answers. */
  asked?: string;
  pattern: RegExp;
  /** What Go calls it, where that is not its name. */
  built?: string;
}

/** Programs that are taken from PATH when new enough, and built from their pinned source otherwise. */
export const goPrograms = {
  nats: { ...pins.nats, name: 'nats-server', title: 'NATS', pattern: /v(\d+\.\d+\.\d+)/ },
  versitygw: {
    ...pins.versitygw,
    name: 'versitygw',
    title: 'versitygw',
    pattern: /Version\s*:\s*v(\d+\.\d+\.\d+)/,
  },
  kustomize: {
    ...pins.kustomize,
    name: 'kustomize',
    title: 'kustomize',
    asked: 'version',
    pattern: /v(\d+\.\d+\.\d+)/,
  },
  toxiproxy: {
    ...pins.toxiproxy,
    name: 'toxiproxy-server',
    title: 'Toxiproxy',
    built: 'server',
    pattern: /version (\d+\.\d+\.\d+)/,
  },
  minio: { ...pins.minio, name: 'minio', title: 'MinIO', pattern: /RELEASE\.(\d{4}-\d\d-\d\d)/ },
} as const satisfies Record<string, GoProgram>;

/** How programs are built that run here and nowhere else: small, by Go alone, the same in every folder. */
export const optimized = { flags: ['-trimpath', '-ldflags=-s -w'], env: { CGO_ENABLED: '0' } } as const;

const folderOf = ({ name, version }: GoProgram) => `${name}-v${version}`;

/** The program as it can be run without building it; undefined when it has to be built. */
export async function findProgram(program: GoProgram): Promise<string | undefined> {
  const built = join(cachedPath(folderOf(program)), program.name);
  if (existsSync(built)) return built;
  const found = await versionOf(program.name, [program.asked ?? '--version'], program.pattern);
  return found && atLeast(found, program.oldest) ? program.name : undefined;
}

/** The program, built when it has to be. */
export async function goProgram(program: GoProgram, task: Task): Promise<string> {
  const { name, title, module, version, built = name } = program;
  const found = await findProgram(program);
  if (found) return found;
  const folder = await cached(folderOf(program), task, async (target) => {
    task.update(`building ${version} with Go`);
    // Go checks every module against its checksum database.
    await runFetch('go', ['install', ...optimized.flags, `${module}@v${version}`], {
      cwd: target,
      env: { ...process.env, GOBIN: target, ...optimized.env },
      failed: `${title} could not be fetched and built`,
      advice: `check the network and run the same command again, or put ${name} on PATH, or start Docker.`,
    });
    renameSync(join(target, built), join(target, name));
  });
  return join(folder, name);
}
