import { expect, it } from '@jest/globals';
import { choose, type State } from './retention-policy.ts';

const hourMs = 60 * 60_000;
const made = Date.parse('2026-11-25T12:00:00.000Z');
const at = (hours: number) => new Date(made - hours * hourMs).toISOString().replaceAll(/[:.]/g, '-');
const all = (state: State, names: readonly string[]) => new Map(names.map((name) => [name, state]));

it('all of the last 24 hours stay, and the last one of each day', () => {
  const names = [97, 96, 73, 72, 24, 12, 0].map(at);
  const { old, broken, unsure } = choose(names, all('whole', names), { days: 4 });
  expect({ old, broken, unsure }).toEqual({ old: [97, 73].map(at), broken: [], unsure: [] });
  // Of a day that has none nothing counts.
  expect(choose(names, all('whole', names), { days: 2 }).old).toEqual([97, 96, 73, 72].map(at));
});

it('the newest stay, so many', () => {
  const names = [3, 2, 1, 0].map(at);
  expect(choose(names, all('whole', names), { newest: 3 }).old).toEqual([at(3)]);
});

it('one that is broken goes and is none of those that are counted; one that fails does neither', () => {
  const names = [4, 3, 2, 1, 0].map(at);
  const states = all('whole', names).set(at(2), 'broken').set(at(1), 'failing');
  const { whole, old, broken } = choose(names, states, { newest: 2 });
  expect({ whole, old, broken }).toEqual({ whole: [4, 3, 0].map(at), old: [at(4)], broken: [at(2)] });
});

it('those are to be looked into that are counted, until as many are known to be whole', () => {
  const names = [4, 3, 2, 1, 0].map(at);
  const states = new Map<string, State>();
  expect(choose(names, states, { newest: 2 }).unsure).toEqual([1, 0].map(at));
  states.set(at(0), 'whole').set(at(1), 'broken');
  expect(choose(names, states, { newest: 2 }).unsure).toEqual([at(2)]);
  states.set(at(2), 'whole');
  expect(choose(names, states, { newest: 2 }).unsure).toEqual([]);
});

it('all are to be looked into by the first of a day, what was begun before it and not finished not counted', () => {
  const names = [49, 48, 47, 1, 0].map(at);
  const states = new Map<string, State>();
  expect(choose(names, states, { newest: 1 })).toMatchObject({ isFirstOfDay: false, unsure: [1, 0].map(at) });
  states.set(at(0), 'whole').set(at(1), 'broken');
  expect(choose(names, states, { newest: 1 })).toMatchObject({
    isFirstOfDay: true,
    unsure: [49, 48, 47].map(at),
  });
});
