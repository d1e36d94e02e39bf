import { deletionPhrase, type OfferingState } from '@stoa/contracts';
import { expect, test } from '@playwright/test';
import { type Shown, shownIn, type VisibilityState, visibilityStates } from '@stoa/testing/surfaces';
import { fetchApi, fetchJson } from '../src/api.ts';
import { expectWithin } from '../src/deadline.ts';
import { deletionOf } from '../src/deletion-drill/leaver.ts';
import { decide, makeOperator, openCase } from '../src/review-use-cases.ts';
import {
  expectedSurfaces,
  listedSurfaces,
  makeSubject,
  readSurfaces,
  type Subject,
  unread,
} from '../src/surfaces.ts';

/** The time within which hidden content disappears from every surface. */
const withinMs = 5000;
/** Media draws cards one after the other, once `readSurfaces` requests them. */
const drawnWithinMs = 60_000;

test.describe.configure({ mode: 'parallel', timeout: 300_000 });

test('every public route of the gateway that shows something has a reader', () => {
  expect(unread()).toEqual([]);
});

/** Brings about each state, and returns what restores the offering where that is possible. */
const changes: Readonly<
  Record<VisibilityState, (subject: Subject) => Promise<(() => Promise<void>) | null>>
> = {
  draft: byOwner('draft'),
  'hidden by its owner': byOwner('hidden'),
  archived: byOwner('archived'),
  'hidden by an operator': byOperator(({ offering }) => offering.slug),
  'of a hidden profile': byOperator(() => undefined),
  removed: async ({ creator: { token }, offering: { id } }) => {
    expect((await fetchApi('DELETE', `/api/offerings/${id}`, { token })).status).toBe(204);
    return null;
  },
  'of a closed account': async ({ creator }) => {
    const body = { confirmation: deletionPhrase };
    const { token } = creator;
    expect((await fetchApi('POST', '/api/account/deletion', { token, body })).status).toBe(202);
    // The time of the surfaces begins when identity has closed the account.
    await expect.poll(async () => (await deletionOf(creator))?.removed, { timeout: 60_000 }).toBe(true);
    return null;
  },
};

function byOwner(state: OfferingState) {
  return async ({ creator: { token }, offering }: Subject) => {
    const { title, description, price, type, paymentUrl, id } = offering;
    const put = async (next: OfferingState) => {
      const body = { title, description, price, type, paymentUrl, state: next };
      await fetchJson('PUT', `/api/offerings/${id}`, { token, body });
    };
    await put(state);
    return () => put('published');
  };
}

function byOperator(slugOf: (subject: Subject) => string | undefined) {
  return async (subject: Subject) => {
    const { token } = await makeOperator();
    const caseId = await openCase(token, subject.creator, slugOf(subject));
    await decide(token, caseId, { decision: 'hide', reason: 'fraud', text: '' });
    return () => decide(token, caseId, { decision: 'restore', text: '' });
  };
}

const everything = ['profile', 'offering', 'delivery', 'seller'] as const;

for (const state of visibilityStates)
  test(`an offering ${state} is shown on no surface but those that promise it`, async () => {
    const subject = await makeSubject();
    const differing = (shown: readonly Shown[]) => async () => {
      const seen = await readSurfaces(subject);
      expect(Object.keys(seen).toSorted()).toEqual(listedSurfaces().toSorted());
      const expected = expectedSurfaces(seen, shown);
      return Object.keys(seen).filter((surface) => seen[surface] !== expected[surface]);
    };
    await expect.poll(differing(everything), { timeout: drawnWithinMs, intervals: [250] }).toEqual([]);
    // Once more, so that every cache holds an answer.
    expect(await differing(everything)()).toEqual([]);
    const takeBack = await changes[state](subject);
    const promised = shownIn[state];
    await expectWithin(withinMs, differing(promised), []);
    expect(await differing(promised)()).toEqual([]);
    if (!takeBack) return;
    await takeBack();
    await expect.poll(differing(everything), { timeout: drawnWithinMs, intervals: [250] }).toEqual([]);
  });
