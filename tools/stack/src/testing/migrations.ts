import { glob } from 'node:fs/promises';
import { inRepository } from '@stoa/system/paths';
import { squawk } from '@stoa/system/fetch/squawk';
import { CommandFailed, run } from '@stoa/system/processes/run';
import type { Task } from '@stoa/system/progress';
import { CheckFailed } from './check.ts';

/**
 * A change of a migration that breaks or blocks the previous release, which runs beside it during a rollout.
 */
export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly rule: string;
  readonly message: string;
}

type Accepted = Readonly<Record<string, string>>;

/**
 * Exceptions for migrations that squawk reports without reason: folder and rule, with the explanation. Empty
 * since 1.0.
 */
const accepted: Accepted = {};

/**
 * Fails for a migration that breaks the previous release: migrations first expand; they contract in a later
 * release.
 */
export async function checkMigrations(task: Task): Promise<void> {
  const files: string[] = [];
  for await (const file of glob('apps/*/prisma/migrations/*/migration.sql', { cwd: inRepository() }))
    files.push(file);
  const wrong = unacceptedFindings(await lintMigrations(files.toSorted(), await squawk(task)), accepted);
  if (wrong.length > 0) throw new CheckFailed(`Migrations (CONTRIBUTING.md):\n  ${wrong.join('\n  ')}`);
}

/** The findings of squawk in these files. */
export async function lintMigrations(files: readonly string[], program: string): Promise<Finding[]> {
  const config = inRepository('tools/prisma/squawk/squawk.toml');
  const output = await run(program, ['--config', config, '--reporter', 'json', ...files], {
    cwd: inRepository(),
  }).catch((error: unknown) => {
    // Accepts an error code with findings, because Squawk ends with one if it has findings.
    if (error instanceof CommandFailed && error.output.startsWith('[')) return error.output;
    throw error;
  });
  const found = JSON.parse(output) as { file: string; line: number; rule_name: string; message: string }[];
  return found.map(({ file, line, rule_name: rule, message }) => ({ file, line: line + 1, rule, message }));
}

/** The findings without an exception, and the exceptions without a finding. */
export function unacceptedFindings(findings: readonly Finding[], known: Accepted): string[] {
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
