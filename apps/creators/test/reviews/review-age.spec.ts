import { creators } from '@stoa/contracts';
import { makeOperatorCaller, type ServiceUnderTest, withClient, makeReport } from '@stoa/testing';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';

const telemetry = await import('@stoa/telemetry');
const observeTogether = jest.fn(telemetry.observeTogether);
jest.unstable_mockModule('@stoa/telemetry', () => ({ ...telemetry, observeTogether }));
const { makeCreatorOf, startCreators } = await import('../creators-under-test.ts');

let service: ServiceUnderTest;
/** Reads the metrics, as an export does. */
let read: () => Promise<{ reviewsWaiting: number; reviewsAge: number }>;

beforeAll(async () => {
  service = await startCreators();
  const call = observeTogether.mock.calls.find(([gauges]) => 'reviewsAge' in gauges);
  read = call?.[1] as unknown as typeof read;
});
afterAll(() => service.stop());

const waiting = async () => {
  const { reviewsWaiting, reviewsAge } = await read();
  return [reviewsWaiting, Math.floor(reviewsAge / 60)];
};
const age = (id: string, interval: string) =>
  withClient(service.databaseUrl, (client) =>
    client.query('UPDATE review_case SET opened_at = now() - $2::interval WHERE id = $1', [id, interval]),
  );

test('metrics show the number and age of waiting cases; an appeal starts a new wait', async () => {
  const operator = makeOperatorCaller();
  await service.ask(creators.open, {}, operator);
  expect(await waiting()).toEqual([0, 0]);
  const reported = await Promise.all([makeCreatorOf(service), makeCreatorOf(service)]);
  for (const { uid: creatorId } of reported) await service.ask(creators.report, makeReport({ creatorId }));
  const { items } = await service.ask(creators.listCases, { queue: 'waiting' }, operator);
  const [first, second] = reported.map(({ uid }) => items.find(({ creatorId }) => creatorId === uid)!.id);
  await age(first!, '10 minutes');
  await age(second!, '3 minutes');
  expect(await waiting()).toEqual([2, 10]);

  // After a decision the case no longer waits. After an appeal it waits again, from the time of the appeal.
  await service.ask(
    creators.decide,
    { id: first!, decision: 'hide', reason: 'fraud', text: 'No.' },
    operator,
  );
  expect(await waiting()).toEqual([1, 3]);
  await service.ask(creators.appeal, { id: first!, text: 'It does not.' }, reported[0]);
  expect(await waiting()).toEqual([2, 3]);
  await service.ask(creators.decide, { id: second!, decision: 'dismiss', text: '' }, operator);
  expect(await waiting()).toEqual([1, 0]);
});
