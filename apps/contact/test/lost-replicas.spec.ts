import { contact, offerings } from '@stoa/contracts';
import { transactionEndings, makeCaller, LostReplica, waitFor, withClient } from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type ContactUnderTest, startContact } from './contact-under-test.ts';

let started: ContactUnderTest;
let replica: LostReplica;

beforeAll(async () => {
  started = await startContact({ LINK_CHECK: 'false' });
});
afterAll(() => started.stop());
beforeEach(async () => {
  replica = await LostReplica.start(started.service);
});
afterEach(() => replica.stop());

async function createDeadLink() {
  const { service } = started;
  const caller = makeCaller();
  const links = [{ kind: 'payment', label: 'Access Now', url: 'https://shop.example.com/' } as const];
  const page = { uid: caller.uid, offeringId: randomUUID(), title: 'Letters', version: 1 };
  await service.announce(offerings.linksListed, { ...page, links, isPublic: true });
  const id = await waitFor(async () => {
    const { rows } = await withClient(service.databaseUrl, (client) =>
      client.query<{ id: string }>(
        `UPDATE checked_link SET dead_since = now(), failing_since = now(), finding = 'gone', looked_at = now()
          WHERE page_id = $1 RETURNING id`,
        [page.offeringId],
      ),
    );
    expect(rows).toHaveLength(1);
    return rows[0]!.id;
  });
  return { caller, id };
}

test.each(transactionEndings)(
  'a check request whose replica is lost and %s is scheduled once, and answered',
  async (ending) => {
    const { caller, id } = await createDeadLink();
    const ask = () => started.service.ask(contact.checkLink, { id }, caller);
    expect(await replica.loseDuring(ending, ask)).toMatchObject({ items: [{ id, isQueued: true }] });
    await expect(ask()).rejects.toMatchObject({ code: 'rate_limited' });
  },
);
