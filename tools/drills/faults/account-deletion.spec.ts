import { planCells, runCell } from '../src/deletion-drill/cells.ts';
import {
  deletionOf,
  erasingServices,
  deletionFaults,
  makeLeaver,
  requestDeletion,
  retryDeletionsNow,
} from '@stoa/e2e/leaver';
import { controlProcess, runOf } from '@stoa/e2e/process-control';
import { objectsUnder, tablesWith } from '@stoa/e2e/remains';
import { expect, test } from '@stoa/e2e/test';

const within = (timeout: number) => ({ timeout, intervals: [100, 250, 500] });
const seed = 38;
const cells = 3;

/** Kills a part and waits until it runs again. */
async function kill(part: string): Promise<void> {
  const before = await runOf(part);
  await controlProcess('crash', part);
  await expect
    .poll(async () => [null, before].includes(await runOf(part)), { ...within(60_000), message: part })
    .toBe(false);
}

test.afterEach(async () => {
  await Promise.allSettled(
    ['mail', 'keycloak', ...erasingServices].map((part) => controlProcess('resume', part)),
  );
});

test('a deletion is completed although parts are killed at each of its steps', async () => {
  // Allows triple time, because Keycloak starts within this test.
  test.slow();
  const leavers = [await makeLeaver(), await makeLeaver(), await makeLeaver()] as const;
  const [atKeycloak, atServices, atReceipt] = leavers;

  // One account waits at each step, because a part hangs there.
  await controlProcess('pause', 'mail');
  await requestDeletion(atReceipt);
  const isUnmailed = { removed: true, erased: erasingServices.toSorted(), finished: false };
  await expect.poll(() => deletionOf(atReceipt), within(30_000)).toMatchObject(isUnmailed);
  await expect.poll(() => objectsUnder(atReceipt.paths), within(30_000)).toEqual([]);

  for (const service of erasingServices) await controlProcess('pause', service);
  await requestDeletion(atServices);
  const isUnerased = { removed: true, erased: [], finished: false };
  await expect.poll(() => deletionOf(atServices), within(30_000)).toMatchObject(isUnerased);
  // Services can only have received the event if it has left the outbox.
  const tables = () => tablesWith([atServices.uid]);
  await expect.poll(tables, within(30_000)).not.toContain('identity.account');
  await expect.poll(tables, within(30_000)).not.toContain('identity.outbox');

  await controlProcess('pause', 'keycloak');
  await requestDeletion(atKeycloak);
  const isTried = async () => ((await deletionOf(atKeycloak))?.attempts ?? 0) > 0;
  await expect.poll(isTried, within(30_000)).toBe(true);

  await kill('identity');
  await kill('nats');
  await kill('minio');
  await kill('postgres');
  const steps = () => Promise.all(leavers.map(deletionOf));
  const waiting = [{ removed: false, erased: [] }, isUnerased, isUnmailed];
  await expect(async () => expect(await steps()).toMatchObject(waiting)).toPass(within(30_000));
  for (const service of erasingServices) await kill(service);
  expect(await steps()).toMatchObject([{ removed: false }, {}, isUnmailed]);
  await kill('keycloak');
  await controlProcess('resume', 'mail');

  await expect(async () => {
    await retryDeletionsNow();
    for (const deletion of await steps())
      expect(deletion).toMatchObject({ erased: erasingServices.toSorted(), finished: true });
  }).toPass(within(120_000));
  for (const leaver of leavers) await expect.poll(() => deletionFaults(leaver), within(60_000)).toEqual([]);
});

test('a deletion held at a step is completed although a part is killed there (seeded choice)', async () => {
  test.slow();
  // Keycloak takes half a minute to start. The whole matrix is a separate drill: docs/evidence/drills/deletion.md.
  const chosen = planCells(seed)
    .filter(({ part }) => part !== 'keycloak')
    .slice(0, cells);
  for (const cell of chosen)
    expect(await runCell(await makeLeaver(), cell), `${cell.step} × ${cell.part}`).toEqual([]);
});
