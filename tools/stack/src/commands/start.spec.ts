import { expect, test } from '@jest/globals';
import { reportReadiness } from './start.ts';

const elapsed = () => '9.0 s';

test('reports that everything runs once the samples exist, and not if they failed [stack-1]', async () => {
  for (const [made, last] of [
    [true, 'Stoa runs, all of it (after 9.0 s). Ctrl-C ends it.'],
    [false, 'Stoa runs (after 9.0 s), its samples come in. Ctrl-C ends it.'],
  ] as const) {
    const lines: string[] = [];
    const { promise: samples, resolve } = Promise.withResolvers<boolean>();
    const reported = reportReadiness(samples, elapsed, (line) => lines.push(line));
    expect(lines).toEqual(['Stoa runs (after 9.0 s), its samples come in. Ctrl-C ends it.']);
    resolve(made);
    await reported;
    expect(lines.at(-1)).toBe(last);
  }
});

test('reports immediately that everything runs if there are no samples', async () => {
  const lines: string[] = [];
  await reportReadiness(undefined, elapsed, (line) => lines.push(line));
  expect(lines).toEqual(['Stoa runs, all of it (after 9.0 s). Ctrl-C ends it.']);
});
