import { drillFaults } from '../src/fault-drill/drill.ts';
import { expect, test } from '../src/test.ts';

const faults = 60;
const everyMs = 3000;

test('three minutes of kills, hangs, restarts and slow parts lose no acknowledged write and do none twice', async () => {
  // The faults, and as long again for what was under way.
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
