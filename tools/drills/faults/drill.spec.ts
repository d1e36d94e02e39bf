import { drillFaults } from '../src/fault-drill/drill.ts';
import { expect, test } from '@stoa/e2e/test';

const faults = 60;
const everyMs = 3000;

test('three minutes of kills, hangs, restarts and slow parts lose and repeat no acknowledged write', async () => {
  // Allows the time of the faults, and as long again for the pending work.
  test.setTimeout(2 * faults * everyMs);
  const { violations, acknowledged, summary } = await drillFaults({
    seed: 13,
    faults,
    everyMs,
    perSecond: 15,
  });
  await test.info().attach('summary', { body: summary, contentType: 'text/plain' });
  expect(violations, summary).toEqual([]);
  expect(
    Object.entries(acknowledged).filter(([, count]) => count === 0),
    summary,
  ).toEqual([]);
});
