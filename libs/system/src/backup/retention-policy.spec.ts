import { expect, it } from '@jest/globals';
import { chooseBackups, type State } from './retention-policy.ts';

const hourMs = 60 * 60_000;
const made = Date.parse('2026-11-25T12:00:00.000Z');
const at = (hours: number) => new Date(made - hours * hourMs).toISOString().replaceAll(/[:.]/g, '-');
const all = (state: State, names: readonly string[]) => new Map(names.map((name) => [name, state]));

it('backups of the last 24 hours stay, and the last one of each day', () => {
  const names = [97, 96, 73, 72, 24, 12, 0].map(at);
  const { old, broken, unchecked } = chooseBackups(names, all('complete', names), { days: 4 });
  expect({ old, broken, unchecked }).toEqual({ old: [97, 73].map(at), broken: [], unchecked: [] });
  // The rule counts days that have a backup, so days without one remove nothing.
  expect(chooseBackups(names, all('complete', names), { days: 2 }).old).toEqual([97, 96, 73, 72].map(at));
});

it('the given number of newest backups stays', () => {
  const names = [3, 2, 1, 0].map(at);
  expect(chooseBackups(names, all('complete', names), { newest: 3 }).old).toEqual([at(3)]);
});

it('a broken backup is removed and not counted; an unreadable one neither', () => {
  const names = [4, 3, 2, 1, 0].map(at);
  const states = all('complete', names).set(at(2), 'broken').set(at(1), 'unreadable');
  const { complete, old, broken } = chooseBackups(names, states, { newest: 2 });
  expect({ complete, old, broken }).toEqual({ complete: [4, 3, 0].map(at), old: [at(4)], broken: [at(2)] });
});

it('counted backups are checked until enough are known to be complete', () => {
  const names = [4, 3, 2, 1, 0].map(at);
  const states = new Map<string, State>();
  expect(chooseBackups(names, states, { newest: 2 }).unchecked).toEqual([1, 0].map(at));
  states.set(at(0), 'complete').set(at(1), 'broken');
  expect(chooseBackups(names, states, { newest: 2 }).unchecked).toEqual([at(2)]);
  states.set(at(2), 'complete');
  expect(chooseBackups(names, states, { newest: 2 }).unchecked).toEqual([]);
});

it('the first complete backup of a day checks all backups', () => {
  const names = [49, 48, 47, 1, 0].map(at);
  const states = new Map<string, State>();
  expect(chooseBackups(names, states, { newest: 1 })).toMatchObject({
    isFirstOfDay: false,
    unchecked: [1, 0].map(at),
  });
  states.set(at(0), 'complete').set(at(1), 'broken');
  expect(chooseBackups(names, states, { newest: 1 })).toMatchObject({
    isFirstOfDay: true,
    unchecked: [49, 48, 47].map(at),
  });
});
