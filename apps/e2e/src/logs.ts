import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { theSystem } from './system.ts';

export interface LogLine {
  readonly app: string;
  readonly text: string;
}

const apps = ['gateway', 'identity', 'creators', 'offerings', 'media', 'contact', 'edge'];

/** The log lines that are not in `before`. */
export function logLinesSince(before: readonly LogLine[]): LogLine[] {
  const known = Map.groupBy(before, ({ app }) => app);
  const now = Map.groupBy(logLines(), ({ app }) => app);
  return [...now].flatMap(([app, lines]) => lines.slice(known.get(app)?.length ?? 0));
}

/** All log lines of the apps until now, including those of rotated files. */
export function logLines(): LogLine[] {
  const folder = join(theSystem().dir, 'logs');
  return apps.flatMap((app) =>
    readdirSync(folder)
      .filter((name) => name === `${app}.log` || name === `${app}.1.log`)
      .toSorted()
      .map((name) => join(folder, name))
      .filter((path) => existsSync(path))
      .flatMap((path) => readFileSync(path, 'utf8').split('\n'))
      .filter((text) => text !== '')
      .map((text) => ({ app, text })),
  );
}
