import { expect, test } from '@jest/globals';
import { tellWhatRuns } from './start.ts';

const elapsed = () => '9.0 s';

test('that all of it runs is said once the samples are there, and not where they could not be made', async () => {
  for (const [made, last] of [
    [true, 'Stoa runs, all of it (after 9.0 s). Ctrl-C ends it.'],
    [false, 'Stoa runs (after 9.0 s), its samples come in. Ctrl-C ends it.'],
  ] as const) {
    const said: string[] = [];
    const { promise: samples, resolve } = Promise.withResolvers<boolean>();
    const told = tellWhatRuns(samples, elapsed, (line) => said.push(line));
    expect(said).toEqual(['Stoa runs (after 9.0 s), its samples come in. Ctrl-C ends it.']);
    resolve(made);
    await told;
    expect(said.at(-1)).toBe(last);
  }
});

test('without samples all of it runs at once', async () => {
  const said: string[] = [];
  await tellWhatRuns(undefined, elapsed, (line) => said.push(line));
  expect(said).toEqual(['Stoa runs, all of it (after 9.0 s). Ctrl-C ends it.']);
});
