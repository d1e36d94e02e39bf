import { contact, offerings } from '@stoa/contracts';
import { makeCaller, waitFor } from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ContactUnderTest, startContact } from '../contact-under-test.ts';
import { LinkServer, quickChecks } from './link-server.ts';

const soon = { timeout: 30_000 };
const url = 'http://gone.example.com/';
let started: ContactUnderTest;
let web: LinkServer;

beforeAll(async () => {
  web = await LinkServer.start();
  started = await startContact({
    ...quickChecks,
    LINK_CHECK_CANARIES: 'http://canary.example.com/canary',
    LINK_CHECK_TEST_HOSTS: `${web.hosts('canary')},gone.example.com=`,
  });
});
afterAll(async () => {
  await started.stop();
  web.stop();
});

test('a link is dead only after a canary answers [contact-19]', async () => {
  const caller = makeCaller();
  const links = [{ kind: 'payment' as const, label: 'Access Now', url }];
  const page = { uid: caller.uid, offeringId: randomUUID(), title: 'Letters', version: 1 };
  web.statuses.set('/canary', 503);
  await started.service.announce(offerings.linksListed, { ...page, links, isPublic: true });
  const canaries = () => web.requests.get('/canary')?.length ?? 0;
  await waitFor(() => expect(canaries()).toBeGreaterThanOrEqual(5), soon);
  const known = await started.service.ask(contact.listCheckedLinks, {}, caller);
  expect(known.items).toMatchObject([{ url, failures: 0, finding: null, lookedAt: null }]);

  web.statuses.set('/canary', 200);
  await waitFor(async () => {
    const { items } = await started.service.ask(contact.readLinkHealth, {}, caller);
    expect(items).toMatchObject([{ url, finding: 'no_such_host' }]);
  }, soon);
});
