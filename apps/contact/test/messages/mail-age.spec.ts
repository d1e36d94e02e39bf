import { contact } from '@stoa/contracts';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { waitFor } from '@stoa/testing';
import type { ContactUnderTest } from '../contact-under-test.ts';

const telemetry = await import('@stoa/telemetry');
const { metrics } = telemetry;
const observe = jest.fn(telemetry.observe);
jest.unstable_mockModule('@stoa/telemetry', () => ({ ...telemetry, observe }));
const { makeMessage, makeRelayedMessage, startContact } = await import('../contact-under-test.ts');

let started: ContactUnderTest;
/** Reads the metric of the oldest unsent message, as an export does. */
let waited: (() => unknown) | undefined;

beforeAll(async () => {
  started = await startContact();
  waited = observe.mock.calls.find(([metric]) => metric === metrics.mailAge)?.[1];
});
afterAll(() => started.stop());

const soon = { timeout: 15_000, interval: 50 };

const minutesWaited = async () => Math.floor(Number(await waited?.()) / 60);

test('the mail age metric is the age of the oldest unsent message', async () => {
  const { service, mail, age } = started;
  expect(await minutesWaited()).toBe(0);
  const [first, second] = [makeMessage(), makeMessage()];
  mail.refuse(true);
  await service.ask(contact.send, first);
  await service.ask(contact.send, second);
  await age([first.id], '10 minutes');
  await age([second.id], '3 minutes');
  expect(await minutesWaited()).toBe(10);
  mail.refuse(false);
  await waitFor(async () => expect(await minutesWaited()).toBe(0), soon);
});

test('the mail age metric ignores a rejected mailbox of a creator, not that of the operator', async () => {
  const { service, mail, age } = started;
  const lost = makeRelayedMessage();
  mail.unknown.add(lost.to.email);
  await service.ask(contact.relay, lost);
  await age([lost.id], '10 minutes');
  await waitFor(async () => expect(await minutesWaited()).toBe(0), soon);
  mail.refuse(true);
  const refused = mail.refused;
  await waitFor(() => expect(mail.refused).toBeGreaterThan(refused + 1), soon);
  // The rejected message also does not count while the mail server refuses all mails.
  expect(await minutesWaited()).toBe(0);
  mail.refuse(false);
  mail.unknown.add('operator@stoa.test');
  const message = makeMessage();
  await service.ask(contact.send, message);
  await age([message.id], '5 minutes');
  // The second attempt starts only after the rejection of the first one is stored.
  const tries = () => mail.turnedAway.filter((address) => address === 'operator@stoa.test');
  await waitFor(() => expect(tries().length).toBeGreaterThan(1), soon);
  expect(await minutesWaited()).toBe(5);
  mail.unknown.clear();
  await waitFor(async () => expect(await minutesWaited()).toBe(0), soon);
});
