import { type Caller, creators, type LinkListing, type OfferingFacts, offerings } from '@stoa/contracts';
import {
  createDatabase,
  makeCaller,
  type ServiceUnderTest,
  startServiceUnderTest,
  type TestDatabase,
  testParts,
  waitFor,
  Wire,
  withClient,
} from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { CreatorsModule } from '../src/creators.module.ts';

const folder = new URL('../', import.meta.url);
/** Deliveries of an event. */
const tries = 2;
let database: TestDatabase;
let wire: Wire;
let service: ServiceUnderTest;
let caller: Caller;

beforeAll(async () => {
  const { adminUrl } = testParts().postgres;
  database = await createDatabase(adminUrl, fileURLToPath(new URL('prisma/migrations', folder)));
  const url = new URL(database.url);
  wire = new Wire(Number(url.port));
  await wire.open();
  url.port = String(wire.port);
  const environment = { DATABASE_URL: url.href, EVENT_MAX_ATTEMPTS: String(tries) };
  service = await startServiceUnderTest(CreatorsModule, { service: 'creators', folder, environment });
});
afterAll(async () => {
  await service.stop();
  wire.close();
  await database.drop();
});
beforeEach(async () => {
  caller = makeCaller();
  await service.ask(creators.open, {}, caller);
});
const asOwner = (sql: string) => {
  const { pathname } = new URL(database.url);
  const url = Object.assign(new URL(testParts().postgres.adminUrl), { pathname });
  return withClient(url.href, (client) => client.query(sql));
};
afterEach(() => asOwner('DROP FUNCTION IF EXISTS refuse CASCADE'));

const published = (): OfferingFacts => ({
  ...{ id: randomUUID(), creatorId: caller.uid, coverImageId: null, fileId: null, version: 1 },
  publicChange: 1,
});
const titled = (title: string): LinkListing => ({
  ...{ uid: caller.uid, offeringId: randomUUID(), title, version: 1, links: [], isPublic: true },
});
const expectCount = (count: number) =>
  waitFor(async () => expect((await service.ask(creators.readOwn, {}, caller)).offeringCount).toBe(count), {
    timeout: 30_000,
  });

// The second one is what a database that is overrun says as well.
test.each(['P0001', '57014'])(
  'a handler that always fails, with %s, holds up no other, and its events end as dead letters',
  async (code) => {
    await asOwner(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE 'It always fails.' USING ERRCODE = '${code}'; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON offering_title FOR EACH ROW EXECUTE FUNCTION refuse()`);
    const failing = [randomUUID(), randomUUID(), randomUUID()];
    for (const id of failing) {
      await service.announce(offerings.linksListed, titled(id), id);
      await service.announce(offerings.published, published());
    }
    await expectCount(3);
    const letters = failing.map((id) =>
      expect.objectContaining({ id, reason: expect.stringContaining('It always fails.') }),
    );
    await waitFor(() => expect(service.events.deadLetters()).toEqual(expect.arrayContaining(letters)), {
      timeout: 30_000,
    });
  },
);

test.each(['away', 'hung'])(
  'while Postgres is %s, for longer than its tries take, no event is given up',
  async (how) => {
    if (how === 'away') wire.close();
    else wire.freeze();
    const id = randomUUID();
    await service.announce(offerings.published, published(), id);
    // A second between two tries, and up to seven until one of a server that hangs has failed.
    await pause(how === 'away' ? 5000 : 18_000);
    if (how === 'away') await wire.open();
    else wire.thaw();
    await expectCount(1);
    expect(service.events.deadLetters()).not.toContainEqual(expect.objectContaining({ id }));
  },
);
