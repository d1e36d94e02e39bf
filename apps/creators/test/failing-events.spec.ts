import { type Caller, creators, type LinkListing, type OfferingFacts, offerings } from '@stoa/contracts';
import {
  makeOfferingFacts,
  createDatabase,
  makeCaller,
  type ServiceUnderTest,
  startServiceUnderTest,
  type TestDatabase,
  testParts,
  waitFor,
  TcpProxy,
  withClient,
} from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { CreatorsModule } from '../src/creators.module.ts';

const folder = new URL('../', import.meta.url);
/** How often NATS delivers an event to a service that cannot handle it. */
const attempts = 2;
let database: TestDatabase;
let wire: TcpProxy;
let service: ServiceUnderTest;
let caller: Caller;
/** Number of offerings that the tests of this file have published. */
let announced = 0;

beforeAll(async () => {
  const { adminUrl } = testParts().postgres;
  database = await createDatabase(adminUrl, fileURLToPath(new URL('prisma/migrations', folder)));
  const url = new URL(database.url);
  wire = new TcpProxy(Number(url.port));
  await wire.open();
  url.port = String(wire.port);
  const environment = { DATABASE_URL: url.href, EVENT_MAX_ATTEMPTS: String(attempts) };
  service = await startServiceUnderTest(CreatorsModule, { service: 'creators', folder, environment });
});
afterAll(async () => {
  await service.stop();
  wire.close();
  await database.drop();
});
beforeEach(async () => {
  announced = 0;
  caller = makeCaller();
  await service.ask(creators.open, {}, caller);
});
const asOwner = (sql: string) => {
  const { pathname } = new URL(database.url);
  const url = Object.assign(new URL(testParts().postgres.adminUrl), { pathname });
  return withClient(url.href, (client) => client.query(sql));
};
afterEach(() => asOwner('DROP FUNCTION IF EXISTS refuse CASCADE'));

/** The event about one more public offering. */
function published(): OfferingFacts {
  announced += 1;
  const tally = { count: announced, asOf: announced };
  return makeOfferingFacts({ creatorId: caller.uid, publicChange: 1, tally });
}
const titled = (title: string): LinkListing => ({
  ...{ uid: caller.uid, offeringId: randomUUID(), title, version: 1, links: [], isPublic: true },
});
const expectCount = (count: number) =>
  waitFor(async () => expect((await service.ask(creators.readOwn, {}, caller)).offeringCount).toBe(count), {
    timeout: 30_000,
  });

// 57014 is the code of a cancelled statement, which an overloaded database reports too.
test.each(['P0001', '57014'])(
  'the events of a handler that always fails with %s become dead letters and block no others',
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
  'no event is discarded while Postgres is %s for longer than all attempts',
  async (how) => {
    if (how === 'away') wire.close();
    else wire.freeze();
    const id = randomUUID();
    await service.announce(offerings.published, published(), id);
    // Milliseconds for all attempts: they start 1 s apart, and one fails after up to 7 s if the server hangs.
    await pause(how === 'away' ? 5000 : 18_000);
    if (how === 'away') await wire.open();
    else wire.thaw();
    await expectCount(1);
    expect(service.events.deadLetters()).not.toContainEqual(expect.objectContaining({ id }));
  },
);
