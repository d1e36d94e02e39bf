import { join } from 'node:path';
import { Problem } from '../problem.ts';
import { CommandFailed, run, type RunOptions } from '../processes/run.ts';
import { pins } from './pins.ts';

/** What a failure says, around what the command said itself. */
export interface FetchFailure {
  /** Such as "NATS could not be fetched". */
  readonly failed: string;
  readonly advice: string;
}

/** Runs what fetches or builds something. @throws Problem of one sentence where that fails */
export async function runFetch(
  command: string,
  args: readonly string[],
  { failed, advice, ...options }: FetchFailure & RunOptions,
): Promise<void> {
  try {
    await run(command, args, options);
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    const lines = error.output.trim().split('\n');
    // Maven marks the line that tells most; of others it is the last one.
    const said = lines.find((line) => line.includes('[ERROR]')) ?? lines.at(-1) ?? '';
    throw new Problem(`${failed} (${said.trim()}): ${advice}`);
  }
}

/** Has Maven put an artifact, or what is in it, into a folder. */
export function fetchArtifact(
  goal: 'copy' | 'unpack',
  artifact: string,
  folder: string,
  failure: FetchFailure,
): Promise<void> {
  // Without strict checksums a wrong one is only a warning.
  const quietly = ['--quiet', '--batch-mode', '--strict-checksums'];
  const folders = [`-DoutputDirectory=${folder}`, `-DmarkersDirectory=${join(folder, 'markers')}`];
  const wanted = [`${pins.mavenDependencyPlugin}:${goal}`, `-Dartifact=${artifact}`, ...folders];
  return runFetch('mvn', [...quietly, ...wanted], { ...failure, cwd: folder });
}
