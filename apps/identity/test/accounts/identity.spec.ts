import { identity } from '@stoa/contracts';
import {
  makeCaller,
  realmSettings,
  requestSubjects,
  type ServiceUnderTest,
  startServiceUnderTest,
} from '@stoa/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { IdentityModule } from '../../src/identity.module.ts';

let service: ServiceUnderTest;

beforeAll(async () => {
  const folder = new URL('../../', import.meta.url);
  service = await startServiceUnderTest(IdentityModule, {
    service: 'identity',
    folder,
    environment: realmSettings(),
  });
});
afterAll(() => service.stop());

test('every request of the contract has a handler', () => {
  expect(service.handled()).toEqual(requestSubjects(identity));
});

test('concurrent opens record an account and its consent once', async () => {
  const caller = makeCaller();
  const answers = await Promise.all([1, 2, 3].map(() => service.ask(identity.open, {}, caller)));
  for (const account of answers) expect(account).toEqual(answers[0]);
  expect(answers[0]).toMatchObject({ uid: caller.uid, termsAcceptedAt: caller.termsAcceptedAt });
  await service.events.next(identity.opened, ({ uid }) => uid === caller.uid);
  expect(service.events.all(identity.opened).filter(({ uid }) => uid === caller.uid)).toHaveLength(1);
});

test('a changed address is recorded', async () => {
  const caller = makeCaller();
  await service.ask(identity.open, {}, caller);
  const moved = await service.ask(identity.open, {}, { ...caller, email: 'New@Example.Test' });
  expect(moved.email).toBe('new@example.test');
});

test('an older token restores neither an older address nor an older consent', async () => {
  const caller = { ...makeCaller(), tokenIssuedAt: '2026-01-01T10:00:00.000Z' };
  await service.ask(identity.open, {}, caller);
  const later = { ...caller, email: 'later@example.test', tokenIssuedAt: '2026-01-01T10:05:00.000Z' };
  await service.ask(identity.open, {}, later);
  const answer = await service.ask(identity.open, {}, { ...caller, termsAcceptedAt: null });
  expect(answer).toMatchObject({ email: 'later@example.test', termsAcceptedAt: caller.termsAcceptedAt });
});

test('a caller without a token is refused', async () => {
  await expect(service.ask(identity.open, {})).rejects.toMatchObject({ code: 'unauthenticated' });
});
