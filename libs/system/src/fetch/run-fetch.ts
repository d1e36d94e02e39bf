import { join } from 'node:path';
import { Problem } from '../problem.ts';
import { CommandFailed, run, type RunOptions } from '../processes/run.ts';
import { pins } from './pins.ts';

/** The text before and after a command's own error in a message. */
export interface FetchFailure {
  /** The start of the message, such as "NATS could not be fetched". */
  readonly failed: string;
  readonly advice: string;
}

/** Runs a command that fetches or builds something. @throws Problem of one sentence if it fails */
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
    // Maven marks its most useful line; other commands print it last.
    const reason = lines.find((line) => line.includes('[ERROR]')) ?? lines.at(-1) ?? '';
    throw new Problem(`${failed} (${reason.trim()}): ${advice}`);
  }
}

/** Copies or unpacks a Maven artifact into a folder. */
export function fetchArtifact(
  goal: 'copy' | 'unpack',
  artifact: string,
  folder: string,
  failure: FetchFailure,
): Promise<void> {
  // Without strict checksums Maven only warns about a wrong one.
  const quietly = ['--quiet', '--batch-mode', '--strict-checksums'];
  const folders = [`-DoutputDirectory=${folder}`, `-DmarkersDirectory=${join(folder, 'markers')}`];
  const wanted = [`${pins.mavenDependencyPlugin}:${goal}`, `-Dartifact=${artifact}`, ...folders];
  return runFetch('mvn', [...quietly, ...wanted], { ...failure, cwd: folder });
}
