import { run } from '@stoa/system/processes/run';

/** The command that runs a script of a workspace. */
export function scriptCommand(workspace: string, script: string): readonly [string, ...string[]] {
  return ['npm', 'run', '-s', script, '-w', workspace];
}

/** Runs a script of a workspace to its end and prints its output. */
export async function script(
  workspace: string,
  name: string,
  scriptArgs: readonly string[] = [],
): Promise<number> {
  const [command, ...args] = scriptCommand(workspace, name);
  await run(command, [...args, '--', ...scriptArgs], { onLine: (line) => console.log(line) });
  return 0;
}
