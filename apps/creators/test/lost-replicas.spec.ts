import { type Caller, creators, type ReviewDecision } from '@stoa/contracts';
import {
  transactionEndings,
  makeCaller,
  makeOperatorCaller,
  LostReplica,
  type ServiceUnderTest,
  makeReport,
} from '@stoa/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { changes, makeCreatorOf, startCreators } from './creators-under-test.ts';

let service: ServiceUnderTest;
let replica: LostReplica;

beforeAll(async () => {
  service = await startCreators();
});
afterAll(() => service.stop());
beforeEach(async () => {
  replica = await LostReplica.start(service);
});
afterEach(() => replica.stop());

async function versionOf(caller: Caller): Promise<number> {
  return (await service.ask(creators.readOwn, {}, caller)).version;
}

test.each(transactionEndings)(
  'if the replica dies and the transaction %s, a first call still answers with a new record',
  async (ending) => {
    const caller = makeCaller();
    const opened = await replica.loseDuring(ending, () => service.ask(creators.open, {}, caller));
    expect([opened.creator.uid, opened.isNew]).toEqual([caller.uid, true]);
  },
);

test.each([
  ['commits', 'of a version'],
  ['commits', 'of any version'],
  ['rolls back', 'of a version'],
] as const)(
  'if the replica dies and the transaction %s, an edit %s is applied once and answered [creators-45]',
  async (ending, which) => {
    const caller = await makeCreatorOf(service);
    const version = await versionOf(caller);
    const edit = changes({ bio: 'Changed.', ...(which === 'of a version' && { editedVersion: version }) });
    const changed = await replica.loseDuring(ending, () => service.ask(creators.update, edit, caller));
    expect([changed.bio, changed.version]).toEqual(['Changed.', version + 1]);
    expect(await versionOf(caller)).toBe(version + 1);
  },
);

test('a new payment link is announced once if the replica dies', async () => {
  const caller = await makeCreatorOf(service);
  const paygates = [{ name: 'Tips', url: 'https://tips.example.com/' }];
  const changed = await replica.loseDuring('commits', () =>
    service.ask(creators.update, changes({ paygates }), {
      ...caller,
      authenticatedAt: new Date().toISOString(),
    }),
  );
  expect(changed.paygates).toEqual(paygates);
  await service.events.next(creators.paymentsMoved, ({ uid }) => uid === caller.uid);
  const announced = service.events.all(creators.paymentsMoved).filter(({ uid }) => uid === caller.uid);
  expect(announced).toHaveLength(1);
});

/** Creates a profile, a report of it, and an operator's decision. */
async function aCase() {
  const caller = await makeCreatorOf(service);
  await service.ask(creators.report, makeReport({ creatorId: caller.uid }));
  const operator = makeOperatorCaller();
  const { items } = await service.ask(creators.listCases, { queue: 'waiting' }, operator);
  const { id } = items.find(({ creatorId }) => creatorId === caller.uid) ?? { id: '' };
  const decide = (decision: ReviewDecision['decision']) =>
    service.ask(creators.decide, { id, decision, reason: 'fraud', text: 'It goes.' }, operator);
  return { caller, id, decide };
}

test.each(transactionEndings)(
  'if the replica dies and the transaction %s, a decision is applied once and answered',
  async (ending) => {
    const { caller, decide } = await aCase();
    const decided = await replica.loseDuring(ending, () => decide('hide'));
    expect(decided.steps.map(({ kind }) => kind)).toEqual(['reported', 'hidden']);
    await service.events.next(creators.reviewed, ({ uid }) => uid === caller.uid);
    expect(service.events.all(creators.reviewed).filter(({ uid }) => uid === caller.uid)).toHaveLength(1);
    await expect(decide('hide')).rejects.toMatchObject({ code: 'conflict' });
  },
);

test.each(transactionEndings)(
  'if the replica dies and the transaction %s, an appeal is stored once and answered',
  async (ending) => {
    const { caller, id, decide } = await aCase();
    await decide('hide');
    const appeal = () => service.ask(creators.appeal, { id, text: 'It was not me.' }, caller);
    expect(await replica.loseDuring(ending, appeal)).toMatchObject({ id, status: 'appealed' });
    await expect(appeal()).rejects.toMatchObject({ code: 'conflict' });
  },
);
