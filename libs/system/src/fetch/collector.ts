import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRepository } from '../paths.ts';
import { run } from '../processes/run.ts';
import type { Task } from '../progress.ts';
import { cached, cachedPath } from './cache.ts';
import { pins } from './pins.ts';

const { builder, version } = pins.collector;
const key = `otelcol-v${version}`;
const program = join(cachedPath(key), 'otelcol-stoa');

/** The path of the collector if `npm run stoa build-program collector` has built it. */
export const findCollector = (): string | undefined => (existsSync(program) ? program : undefined);

/**
 * Builds the OpenTelemetry Collector with the components that deploy/otel/collector.yaml uses. Takes minutes,
 * once.
 */
export async function buildCollector(task: Task): Promise<string> {
  await cached(key, task, async (folder) => {
    // Runs one compiler process: the collector has a thousand packages, and other work on the machine must
    // continue.
    const env = {
      ...process.env,
      GOBIN: folder,
      CGO_ENABLED: '0',
      GOFLAGS: '-p=1 -trimpath -buildvcs=false',
    };
    task.update(`building its builder ${version}`);
    await run('go', ['install', `${builder}@v${version}`], { cwd: folder, env });
    task.update('building the collector');
    const source = join(folder, 'source');
    const config = join(folder, 'builder.yaml');
    const wanted = readFileSync(inRepository('deploy/otel/builder.yaml'), 'utf8');
    writeFileSync(config, wanted.replace(/^dist:\n/m, `dist:\n  output_path: ${source}\n`));
    await run(join(folder, 'builder'), ['--config', config, '--ldflags=-s -w'], { cwd: folder, env });
    renameSync(join(source, 'otelcol-stoa'), join(folder, 'otelcol-stoa'));
    rmSync(source, { recursive: true });
  });
  return program;
}
