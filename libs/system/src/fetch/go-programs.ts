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
  /** The argument that prints the version, by default `--version`, and the pattern of the output. */
  versionArgument?: string;
  pattern: RegExp;
  /** The name of the binary that Go builds, if it differs from `name`. */
  binary?: string;
}

/** Programs that are used from PATH if recent enough, otherwise built from their pinned source. */
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
    versionArgument: 'version',
    pattern: /v(\d+\.\d+\.\d+)/,
  },
  toxiproxy: {
    ...pins.toxiproxy,
    name: 'toxiproxy-server',
    title: 'Toxiproxy',
    binary: 'server',
    pattern: /version (\d+\.\d+\.\d+)/,
  },
  minio: { ...pins.minio, name: 'minio', title: 'MinIO', pattern: /RELEASE\.(\d{4}-\d\d-\d\d)/ },
} as const satisfies Record<string, GoProgram>;

/**
 * Flags for programs that run only on this machine: small, reproducible in every folder, and without a C
 * compiler.
 */
export const optimized = { flags: ['-trimpath', '-ldflags=-s -w'], env: { CGO_ENABLED: '0' } } as const;

const folderOf = ({ name, version }: GoProgram) => `${name}-v${version}`;

/** The program from the cache or PATH; undefined if it must be built. */
export async function findProgram(program: GoProgram): Promise<string | undefined> {
  const binary = join(cachedPath(folderOf(program)), program.name);
  if (existsSync(binary)) return binary;
  const found = await versionOf(program.name, [program.versionArgument ?? '--version'], program.pattern);
  return found && atLeast(found, program.oldest) ? program.name : undefined;
}

/** Returns the path of the program, and builds it if necessary. */
export async function goProgram(program: GoProgram, task: Task): Promise<string> {
  const { name, title, module, version, binary = name } = program;
  const found = await findProgram(program);
  if (found) return found;
  const folder = await cached(folderOf(program), task, async (target) => {
    task.update(`building ${version} with Go`);
    // Go verifies every module with its checksum database.
    await runFetch('go', ['install', ...optimized.flags, `${module}@v${version}`], {
      cwd: target,
      env: { ...process.env, GOBIN: target, ...optimized.env },
      failed: `${title} could not be fetched and built`,
      advice: `check the network and run the same command again, or put ${name} on PATH, or start Docker.`,
    });
    renameSync(join(target, binary), join(target, name));
  });
  return join(folder, name);
}
