import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from '../problem.ts';
import { CommandFailed, run } from '../processes/run.ts';
import { type Task } from '../progress.ts';
import { cached, cachedPath } from './cache.ts';
import { pins } from './pins.ts';
import { atLeast, requireVersion, versionOf } from './versions.ts';

const executable = process.platform === 'win32' ? '.exe' : '';

/** The NATS server: the one on PATH when it is new enough, otherwise built from its pinned source. */
export async function natsServer(task: Task): Promise<string> {
  const { module, version, oldest } = pins.nats;
  const built = join(cachedPath(`nats-server-${version}`), `nats-server${executable}`);
  if (existsSync(built)) return built;
  const found = await versionOf('nats-server', ['--version'], /v(\d+\.\d+\.\d+)/);
  if (found && atLeast(found, oldest)) return 'nats-server';
  return goInstall({ name: 'nats-server', title: 'NATS', module, version, task });
}

/** MinIO: the one on PATH when it is new enough, otherwise built from its pinned source. */
export async function minioServer(task: Task): Promise<string> {
  const { module, version, oldest } = pins.minio;
  const built = join(cachedPath(`minio-${version}`), `minio${executable}`);
  if (existsSync(built)) return built;
  const found = await versionOf('minio', ['--version'], /RELEASE\.(\d{4}-\d\d-\d\d)/);
  if (found && atLeast(found, oldest)) return 'minio';
  return goInstall({ name: 'minio', title: 'MinIO', module, version, task });
}

interface GoProgram {
  name: string;
  title: string;
  module: string;
  version: string;
  task: Task;
}

async function goInstall({ name, title, module, version, task }: GoProgram): Promise<string> {
  await requireVersion({
    command: 'go',
    args: ['version'],
    pattern: /go(\d+\.\d+(?:\.\d+)?)/,
    oldest: pins.go,
    name: 'Go',
    install: `install Go ${pins.go} or newer (or put ${name} on PATH)`,
    neededFor: `building ${title}`,
  });
  const folder = await cached(`${name}-${version}`, task, async (target) => {
    task.update(`building ${version} with Go`);
    try {
      // Go checks every module against its checksum database.
      await run('go', ['install', '-trimpath', '-ldflags=-s -w', `${module}@${version}`], {
        cwd: target,
        env: { ...process.env, GOBIN: target, CGO_ENABLED: '0' },
      });
    } catch (error) {
      if (!(error instanceof CommandFailed)) throw error;
      throw new Problem(
        `${title} could not be fetched and built (${lastLine(error.output)}): check the network and run the same command again, or put ${name} on PATH, or start Docker.`,
      );
    }
  });
  return join(folder, `${name}${executable}`);
}

/** The line of a client's output that tells most. */
export const lastLine = (output: string): string => output.trim().split('\n').at(-1)?.trim() ?? '';
