import { readFileSync, rmSync } from 'node:fs';
import { inRepository } from '@stoa/system/paths';

/** What Nx leaves of its last run in its cache's folder; a task that has not run for another's failure is not in it. */
export interface Run {
  readonly tasks: readonly {
    readonly projectName: string;
    readonly target: string;
    readonly status: number;
  }[];
}

const file = () => inRepository('.nx/cache/run.json');

/** Forgets the last run, so that one which dies is not taken for it. */
export function forgetRun(): void {
  rmSync(file(), { force: true });
}

/** The last run of Nx; without tasks when it has died before its end. */
export function lastRun(): Run {
  try {
    return JSON.parse(readFileSync(file(), 'utf8')) as Run;
  } catch {
    return { tasks: [] };
  }
}
