import { type Caller, contact, creators, identity, type LinkListing, offerings } from '@stoa/contracts';
import { makeCaller, makeOfferingFacts, waitFor, withClient } from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { type ContactUnderTest, startContact } from '../contact-under-test.ts';
import { confirmMs, LinkServer, quickChecks } from './link-server.ts';

const soon = { timeout: 30_000 };
let started: ContactUnderTest;
let database: Client;
let web: LinkServer;
let caller: Caller;
beforeAll(async () => {
  web = await LinkServer.start();
  started = await startContact({
    ...quickChecks,
    LINK_CHECK_CANARIES: 'http://canary.example.com/',
    LINK_CHECK_TEST_HOSTS: `${web.hosts('shop', 'other', 'canary')},inside.example.com=10.0.0.1,gone.example.com=`,
  });
  database = new Client({ connectionString: started.service.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await started.stop();
  web.stop();
});
beforeEach(() => {
  caller = makeCaller();
});

const at = (path: string, host = 'shop') => `http://${host}.example.com${path}`;
const listingOf = (urls: string[], more: Partial<LinkListing> = {}): LinkListing => ({
  ...{ uid: caller.uid, offeringId: randomUUID(), title: 'Twelve letters', version: 1, isPublic: true },
  links: urls.map((url) => ({ kind: 'payment', label: 'Access Now', url })),
  ...more,
});
const list = (listing: LinkListing) =>
  started.service.announce(listing.offeringId ? offerings.linksListed : creators.linksListed, listing);
const dead = async (who = caller) => (await started.service.ask(contact.readLinkHealth, {}, who)).items;
const known = async (who = caller) => (await started.service.ask(contact.listCheckedLinks, {}, who)).items;
const announced = () => started.service.events.all(contact.linksDied).filter(({ uid }) => uid === caller.uid);
const requestsTo = (path: string) => web.requests.get(path)?.length ?? 0;
async function isChecked(path: string, times = 1): Promise<void> {
  const before = requestsTo(path);
  await waitFor(() => expect(requestsTo(path)).toBeGreaterThanOrEqual(before + times), soon);
}
const isDead = (url: string) =>
  waitFor(async () => expect((await dead()).map((link) => link.url)).toContain(url), soon);

test('a link that is 404 three times is dead until it works, and is announced once [contact-20]', async () => {
  const url = at('/torn');
  web.statuses.set('/torn', 404);
  const listing = listingOf([url, at('/fine')]);
  await list(listing);
  await isDead(url);
  expect(requestsTo('/torn')).toBeGreaterThanOrEqual(3);
  const [first = 0, , third = 0] = web.requests.get('/torn') ?? [];
  expect(third - first).toBeGreaterThanOrEqual(2 * confirmMs - 50);
  expect(await dead()).toMatchObject([
    { url, kind: 'payment', offeringId: listing.offeringId, title: 'Twelve letters', finding: 'not_found' },
  ]);
  await waitFor(() => expect(announced()).toMatchObject([{ links: [{ url, finding: 'not_found' }] }]), soon);
  await isChecked('/torn', 2);
  expect(announced()).toHaveLength(1);

  web.statuses.set('/torn', 200);
  await waitFor(async () => expect(await dead()).toEqual([]), soon);
  // A link that dies again within the repeat interval causes no second mail.
  web.statuses.set('/torn', 404);
  await isDead(url);
  await isChecked('/torn', 2);
  expect(announced()).toHaveLength(1);
});

test('a link whose check cannot be recorded delays no mail about another', async () => {
  // The trigger makes each attempt to record this check fail and ends the lease after 10 ms, so the link
  // stays due.
  await withClient(started.adminUrl, (client) =>
    client.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF new.looked_at IS DISTINCT FROM old.looked_at THEN RAISE 'No.' USING ERRCODE = '22000'; END IF;
        new.leased_until := now() + interval '10 milliseconds'; RETURN new; END $$;
      CREATE TRIGGER refuse BEFORE UPDATE ON checked_link FOR EACH ROW
        WHEN (new.url LIKE '%/unrecorded') EXECUTE FUNCTION refuse()`),
  );
  try {
    await list(listingOf([at('/unrecorded', 'other')]));
    await isChecked('/unrecorded', 2);
    web.statuses.set('/beside', 404);
    const url = at('/beside');
    await list(listingOf([url]));
    await waitFor(() => expect(announced()).toMatchObject([{ links: [{ url }] }]), soon);
    await isChecked('/unrecorded', 2);
  } finally {
    await withClient(started.adminUrl, (client) => client.query('DROP FUNCTION refuse CASCADE'));
  }
});

test('links that die together are announced together, one of them with an unknown name', async () => {
  web.statuses.set('/also', 410);
  await list(listingOf(['http://gone.example.com/', at('/also')]));
  await waitFor(async () => expect(await dead()).toHaveLength(2), soon);
  await waitFor(() => expect(announced()).toHaveLength(1), soon);
  expect(
    announced()[0]
      ?.links.map(({ finding }) => finding)
      .toSorted(),
  ).toEqual(['gone', 'no_such_host']);
});

test('log-in pages, private redirects, slow and endless bodies are no dead links [contact-21]', async () => {
  const walls = [401, 403, 405, 429, 500, 503];
  for (const status of walls) web.statuses.set(`/wall-${status}`, status);
  const paths = [
    ...walls.map((status) => `/wall-${status}`),
    ...Object.keys(web.redirects),
    '/slow',
    '/endless',
  ];
  await list(listingOf(paths.map((path) => at(path))));
  await waitFor(() => {
    for (const path of paths) expect(requestsTo(path)).toBeGreaterThanOrEqual(4);
  }, soon);
  expect(await dead()).toEqual([]);
  expect((await known()).every(({ failures }) => failures === 0)).toBe(true);
});

test('links follow their page, and a late listing restores none', async () => {
  const listing = listingOf([at('/a'), at('/b')], { version: 5 });
  await list(listing);
  await waitFor(async () => expect(await known()).toHaveLength(2), soon);
  await list({ ...listing, version: 4, links: [] });
  await list({ ...listing, version: 6, links: listing.links.slice(1) });
  await waitFor(async () => expect((await known()).map(({ url }) => url)).toEqual([at('/b')]), soon);
  const { offeringId: id = '' } = listing;
  const facts = makeOfferingFacts({ id: id ?? '', creatorId: caller.uid, version: 7 });
  await started.service.announce(offerings.removed, facts);
  await waitFor(async () => expect(await known()).toEqual([]), soon);
  const after = listingOf([at('/c')]);
  await list({ ...listing, version: 8 });
  await list(after);
  await waitFor(async () => expect((await known()).map(({ url }) => url)).toEqual([at('/c')]), soon);
});

test('links to private hosts are not listed', async () => {
  await list(
    listingOf([at('/d'), 'http://localhost/', 'http://10.0.0.1/', 'http://shop.local/'], {
      offeringId: null,
      title: '',
    }),
  );
  await waitFor(async () => expect((await known()).map(({ url }) => url)).toEqual([at('/d')]), soon);
});

test('only the owner may request a check, once per ten minutes [contact-22]', async () => {
  const url = at('/again');
  web.statuses.set('/again', 404);
  await list(listingOf([url]));
  await isDead(url);
  const [{ id } = { id: '' }] = await dead();
  await expect(started.service.ask(contact.checkLink, { id }, makeCaller())).rejects.toMatchObject({
    code: 'not_found',
  });
  await started.service.ask(contact.checkLink, { id }, caller);
  await expect(started.service.ask(contact.checkLink, { id }, caller)).rejects.toMatchObject({
    code: 'rate_limited',
  });
  await isChecked('/again');
  await waitFor(async () => expect((await dead())[0]?.isQueued).toBe(false), soon);
});

test('the checks of one host keep a pause [contact-23]', async () => {
  const paths = Array.from({ length: 6 }, (_, number) => `/pause-${number}`);
  await list(listingOf(paths.map((path) => at(path, 'other'))));
  await waitFor(() => {
    for (const path of paths) expect(requestsTo(path)).toBeGreaterThan(0);
  }, soon);
  const times = paths.map((path) => web.requests.get(path)?.[0] ?? 0).toSorted((a, b) => a - b);
  const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  for (const pause of pauses) expect(pause).toBeGreaterThanOrEqual(15);
});

test('a link is checked again when the lease of a crashed process ends', async () => {
  await list(listingOf([at('/orphan', 'other')]));
  await isChecked('/orphan');
  // The state that a replica leaves behind when it crashes during a check.
  const lease = `UPDATE checked_link SET leased_until = now() + interval '2 seconds', next_look_at = now()
                  WHERE url = $1 AND leased_until IS NULL`;
  await waitFor(
    async () => expect((await database.query(lease, [at('/orphan', 'other')])).rowCount).toBe(1),
    soon,
  );
  const since = performance.now();
  await isChecked('/orphan');
  expect((web.requests.get('/orphan')?.at(-1) ?? 0) - since).toBeGreaterThan(1500);
});

test('closing an account deletes its links, and late listings add none [contact-24]', async () => {
  await list(listingOf([at('/mine')]));
  await waitFor(async () => expect(await known()).toHaveLength(1), soon);
  await started.service.announce(identity.closed, { uid: caller.uid, at: new Date().toISOString() });
  await started.service.events.next(contact.erased, ({ uid }) => uid === caller.uid);
  expect(await known()).toEqual([]);
  await list(listingOf([at('/late')]));
  const other = makeCaller();
  await list(listingOf([at('/theirs')], { uid: other.uid }));
  await waitFor(async () => expect(await known(other)).toHaveLength(1), soon);
  expect(await known()).toEqual([]);
  const { rows } = await database.query('SELECT 1 FROM linked_page WHERE uid = $1', [caller.uid]);
  expect(rows).toEqual([]);
});
