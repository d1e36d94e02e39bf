import { Problem } from '../problem.ts';
import { CommandFailed, run } from '../processes/run.ts';

/** Whether a dotted or dated version is at least `oldest`. */
export function atLeast(version: string, oldest: string): boolean {
  const [ours = [], theirs = []] = [version, oldest].map((text) => text.split(/[.-]/).map(Number));
  for (const [index, part] of theirs.entries()) {
    const difference = (ours[index] ?? 0) - part;
    if (difference !== 0) return difference > 0;
  }
  return true;
}

/** The version in a command's output. Undefined if the command is missing or the output does not match. */
export async function versionOf(
  command: string,
  args: string[],
  pattern: RegExp,
): Promise<string | undefined> {
  try {
    return pattern.exec(await run(command, args))?.[1];
  } catch (error) {
    if (error instanceof CommandFailed) return undefined;
    throw error;
  }
}

/**
 * Checks the version of a command that a part needs.
 *
 * @throws Problem of one sentence if it is missing or too old.
 */
export async function requireVersion(options: {
  command: string;
  args: string[];
  pattern: RegExp;
  oldest: string;
  name: string;
  install: string;
  neededFor: string;
}): Promise<void> {
  const { command, args, pattern, oldest, name, install, neededFor } = options;
  const version = await versionOf(command, args, pattern);
  if (version !== undefined && atLeast(version, oldest)) return;
  const what = version === undefined ? `${name} is missing` : `${name} is too old (${version})`;
  throw new Problem(`${what}, and ${neededFor} needs ${oldest} or newer: ${install}, or start Docker.`);
}
