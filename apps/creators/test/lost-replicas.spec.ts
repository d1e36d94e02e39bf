import { type Caller, creators, type ReviewDecision } from '@stoa/contracts';
import { randomUUID } from 'node:crypto';
import { endings, makeCaller, makeOperatorCaller, ReplicaToLose, type ServiceUnderTest } from '@stoa/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { changes, makeCreatorOf, startCreators } from './creators-under-test.ts';

let service: ServiceUnderTest;
let replica: ReplicaToLose;

beforeAll(async () => {
  service = await startCreators();
});
afterAll(() => service.stop());
beforeEach(async () => {
  replica = await ReplicaToLose.start(service);
});
afterEach(() => replica.stop());

async function versionOf(caller: Caller): Promise<number> {
  return (await service.ask(creators.readOwn, {}, caller)).version;
}

test.each(endings)(
  'a first call whose replica is lost and %s makes the record, and says so',
  async (ending) => {
    const caller = makeCaller();
    const opened = await replica.whileLost(ending, () => service.ask(creators.open, {}, caller));
    expect([opened.creator.uid, opened.isNew]).toEqual([caller.uid, true]);
  },
);

test.each([
  ['commits', 'of a version'],
  ['commits', 'of any version'],
  ['rolls back', 'of a version'],
] as const)('an edit whose replica is lost and %s, %s, is made once, and answered', async (ending, which) => {
  const caller = await makeCreatorOf(service);
  const version = await versionOf(caller);
  const edit = changes({ bio: 'Changed.', ...(which === 'of a version' && { editedVersion: version }) });
  const changed = await replica.whileLost(ending, () => service.ask(creators.update, edit, caller));
  expect([changed.bio, changed.version]).toEqual(['Changed.', version + 1]);
  expect(await versionOf(caller)).toBe(version + 1);
});

test('a new link for payments whose replica is lost is announced once', async () => {
  const caller = await makeCreatorOf(service);
  const paygates = [{ name: 'Tips', url: 'https://tips.example.com/' }];
  const changed = await replica.whileLost('commits', () =>
    service.ask(creators.update, changes({ paygates }), {
      ...caller,
      authenticatedAt: new Date().toISOString(),
    }),
  );
  expect(changed.paygates).toEqual(paygates);
  await service.events.next(creators.paymentsMoved, ({ uid }) => uid === caller.uid);
  const told = service.events.all(creators.paymentsMoved).filter(({ uid }) => uid === caller.uid);
  expect(told).toHaveLength(1);
});

/** A profile that was reported, and an operator who has the case. */
async function aCase() {
  const caller = await makeCreatorOf(service);
  const said = { offering: null, reason: 'fraud', text: 'It asks for my password.' } as const;
  await service.ask(creators.report, { id: randomUUID(), creatorId: caller.uid, ...said });
  const operator = makeOperatorCaller();
  const { items } = await service.ask(creators.listCases, { queue: 'waiting' }, operator);
  const { id } = items.find(({ creatorId }) => creatorId === caller.uid) ?? { id: '' };
  const decide = (decision: ReviewDecision['decision']) =>
    service.ask(creators.decide, { id, decision, reason: 'fraud', text: 'It goes.' }, operator);
  return { caller, id, decide };
}

test.each(endings)('a decision whose replica is lost and %s is made once, and answered', async (ending) => {
  const { caller, decide } = await aCase();
  const decided = await replica.whileLost(ending, () => decide('hide'));
  expect(decided.steps.map(({ kind }) => kind)).toEqual(['reported', 'hidden']);
  await service.events.next(creators.reviewed, ({ uid }) => uid === caller.uid);
  expect(service.events.all(creators.reviewed).filter(({ uid }) => uid === caller.uid)).toHaveLength(1);
  await expect(decide('hide')).rejects.toMatchObject({ code: 'conflict' });
});

test.each(endings)('an appeal whose replica is lost and %s is made once, and answered', async (ending) => {
  const { caller, id, decide } = await aCase();
  await decide('hide');
  const appeal = () => service.ask(creators.appeal, { id, text: 'It was not me.' }, caller);
  expect(await replica.whileLost(ending, appeal)).toMatchObject({ id, status: 'appealed' });
  await expect(appeal()).rejects.toMatchObject({ code: 'conflict' });
});
