import { fetchApi } from '@stoa/e2e/api';
import { makeCreator, renewToken, saveProfile } from '@stoa/e2e/creators';
import { controlProcess, runOf } from '@stoa/e2e/process-control';
import { expect, test } from '@stoa/e2e/test';
import { makeVisit, browserHeaders, readNumbers } from '@stoa/e2e/visits';

const visitCount = 10_000;
const lanes = 64;
/** The parts to kill, each after this many acknowledged visits. */
const kills = [
  { name: 'creators', after: 1500 },
  { name: 'nats', after: 4000 },
  { name: 'postgres', after: 5200 },
  { name: 'gateway', after: 6500 },
  { name: 'creators', after: 9000 },
];

const gatewayAnswers = () =>
  expect
    .poll(() => fetchApi('GET', '/api/config').then(({ status }) => status, String), { timeout: 60_000 })
    .toBe(200);

test('10,000 visits are counted once each while services are killed [e2e-50]', async () => {
  test.setTimeout(240_000);
  const creator = await makeCreator();
  await saveProfile(creator.token, { displayName: creator.displayName });
  const left = Array.from({ length: visitCount }, () => makeVisit(creator.uid));
  let acknowledged = 0;
  const count = async () => {
    for (let visit = left.pop(); visit; visit = left.pop()) {
      const body = visit;
      const answer = await fetchApi('POST', '/api/visits', { body, headers: browserHeaders }).catch(
        () => null,
      );
      await answer?.body?.cancel();
      // Counts only acknowledged visits. An unacknowledged visit may have been counted; its repeat must not
      // count again.
      if (answer?.status === 204) acknowledged += 1;
      else left.unshift(visit);
      if (answer === null) await gatewayAnswers();
    }
  };
  const kill = async () => {
    for (const { name, after } of kills) {
      const before = await runOf(name);
      await expect.poll(() => acknowledged, { timeout: 120_000, intervals: [50] }).toBeGreaterThan(after);
      await controlProcess('crash', name);
      await expect
        .poll(async () => [null, before].includes(await runOf(name)), { timeout: 60_000 })
        .toBe(false);
    }
  };
  await Promise.all([kill(), ...Array.from({ length: lanes }, count)]);
  expect(acknowledged).toBe(visitCount);
  const token = await renewToken(creator);
  const views = async () => (await readNumbers(token)).totals.views;
  await expect.poll(() => views().catch(() => 0), { timeout: 60_000 }).toBe(visitCount);
  // A further visit shows that no pending event counts a second time.
  await fetchApi('POST', '/api/visits', { body: makeVisit(creator.uid), headers: browserHeaders });
  await expect.poll(views, { timeout: 60_000 }).toBe(visitCount + 1);
});
