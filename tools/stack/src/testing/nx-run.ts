import { readFileSync, rmSync } from 'node:fs';
import { inRepository } from '@stoa/system/paths';

/**
 * The record of its last run that Nx keeps in its cache. It lacks tasks that were skipped because another
 * failed.
 */
export interface Run {
  readonly tasks: readonly {
    readonly projectName: string;
    readonly target: string;
    readonly status: number;
  }[];
}

const file = () => inRepository('.nx/cache/run.json');

/** Removes the record of the last run, so that it cannot pass for that of a crashed run. */
export function forgetRun(): void {
  rmSync(file(), { force: true });
}

/** The last run of Nx; without tasks if it crashed. */
export function lastRun(): Run {
  try {
    return JSON.parse(readFileSync(file(), 'utf8')) as Run;
  } catch {
    return { tasks: [] };
  }
}
