import { glob } from 'node:fs/promises';
import { inRepository } from '@stoa/system/paths';
import { squawk } from '@stoa/system/fetch/squawk';
import { CommandFailed, run } from '@stoa/system/processes/run';
import type { Task } from '@stoa/system/progress';
import { CheckFailed } from './check.ts';

/** What a migration does that the release before cannot bear, or that keeps it waiting. */
export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly rule: string;
  readonly message: string;
}

type Accepted = Readonly<Record<string, string>>;

const neverWritten = 'The table was never written, and the release before only asked whether it was empty.';

/** Applied everywhere, so they stay as they are: migration and rule, and why it did no harm. Nothing is added. */
const accepted: Accepted = {
  'apps/contact/prisma/migrations/20261122200000_no_outbox ban-drop-table': neverWritten,
  'apps/media/prisma/migrations/20261122200000_no_outbox ban-drop-table': neverWritten,
  'apps/offerings/prisma/migrations/20261121190000_delivery adding-field-with-default':
    'Each row needs a key of its own, which the release before does not make; the table had few rows yet.',
};

/** Fails for a migration beside which the release before would not work: they expand first, and contract releases later. */
export async function checkMigrations(task: Task): Promise<void> {
  const files: string[] = [];
  for await (const file of glob('apps/*/prisma/migrations/*/migration.sql', { cwd: inRepository() }))
    files.push(file);
  const wrong = judged(await lintMigrations(files.toSorted(), await squawk(task)), accepted);
  if (wrong.length > 0) throw new CheckFailed(`Migrations (CONTRIBUTING.md):\n  ${wrong.join('\n  ')}`);
}

/** What squawk finds in these files. */
export async function lintMigrations(files: readonly string[], program: string): Promise<Finding[]> {
  const config = inRepository('tools/prisma/squawk/squawk.toml');
  const output = await run(program, ['--config', config, '--reporter', 'json', ...files], {
    cwd: inRepository(),
  }).catch((error: unknown) => {
    // It ends so when it has found something.
    if (error instanceof CommandFailed && error.output.startsWith('[')) return error.output;
    throw error;
  });
  const found = JSON.parse(output) as { file: string; line: number; rule_name: string; message: string }[];
  return found.map(({ file, line, rule_name: rule, message }) => ({ file, line: line + 1, rule, message }));
}

/** What is not accepted, and what is accepted in vain. */
export function judged(findings: readonly Finding[], known: Accepted): string[] {
  const keyOf = ({ file, rule }: Finding) => `${file.replace(/\/migration\.sql$/, '')} ${rule}`;
  const met = new Set(findings.map(keyOf));
  return [
    ...findings
      .filter((finding) => !(keyOf(finding) in known))
      .map(({ file, line, rule, message }) => `${file}:${line} ${rule}: ${message}`),
    ...Object.keys(known)
      .filter((key) => !met.has(key))
      .map((key) => `${key} is accepted and not there`),
  ];
}
