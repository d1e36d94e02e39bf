import { type Caller, media } from '@stoa/contracts';
import {
  transactionEndings,
  makeCaller,
  LostReplica,
  type ServiceUnderTest,
  withClient,
} from '@stoa/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { startMedia } from './media-under-test.ts';

let service: ServiceUnderTest;
let replica: LostReplica;

beforeAll(async () => {
  service = await startMedia({ SWEEP_INTERVAL_MS: '3600000' });
});
afterAll(() => service.stop());
beforeEach(async () => {
  replica = await LostReplica.start(service);
});
afterEach(() => replica.stop());

const exportsOf = ({ uid }: Caller) =>
  withClient(service.databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>('SELECT id FROM account_export WHERE uid = $1', [
      uid,
    ]);
    return rows.map(({ id }) => id);
  });

test.each(transactionEndings)(
  'an export whose replica is lost and %s is begun once, and accepts records',
  async (ending) => {
    const caller = makeCaller({ authenticatedAt: new Date().toISOString() });
    const { id } = await replica.loseDuring(ending, () => service.ask(media.startExport, {}, caller));
    expect(await exportsOf(caller)).toEqual([id]);
    await service.ask(media.addToExport, { id, attempt: 0, name: 'profile.json', content: {} }, caller);
    await service.ask(media.makeExport, { id, attempt: 0 }, caller);
  },
);
