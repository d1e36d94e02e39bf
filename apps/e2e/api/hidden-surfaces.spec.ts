import { deletionPhrase, type OfferingState } from '@stoa/contracts';
import { expect, test } from '@playwright/test';
import {
  type SurfaceContent,
  contentByState,
  type VisibilityState,
  visibilityStates,
} from '@stoa/testing/surfaces';
import { fetchApi, fetchJson } from '../src/api.ts';
import { expectWithin } from '../src/deadline.ts';
import { deletionOf } from '../src/leaver.ts';
import { decide, makeOperator, openCase } from '../src/review-use-cases.ts';
import {
  expectedSurfaces,
  listedSurfaces,
  makeSubject,
  readSurfaces,
  type Subject,
  routesWithoutReader,
} from '../src/surfaces.ts';

/** Milliseconds within which hidden content must disappear from all surfaces (routes and files that show it). */
const withinMs = 5000;
/** Milliseconds to wait for all preview cards, which the media service draws one after the other. */
const drawnWithinMs = 60_000;

test.describe.configure({ mode: 'parallel', timeout: 300_000 });

test('every public gateway route with content has a reader [e2e-11]', () => {
  expect(routesWithoutReader()).toEqual([]);
});

/**
 * Functions that hide an offering in each possible way. Each returns a function that shows the offering again, or null if
 * that is impossible.
 */
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
    // The time limit counts from the moment at which identity has deleted the account.
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
  test(`an offering ${state} is visible only on the specified surfaces [e2e-12]`, async () => {
    const subject = await makeSubject();
    const differing = (shown: readonly SurfaceContent[]) => async () => {
      const seen = await readSurfaces(subject);
      expect(Object.keys(seen).toSorted()).toEqual(listedSurfaces().toSorted());
      const expected = expectedSurfaces(seen, shown);
      return Object.keys(seen).filter((surface) => seen[surface] !== expected[surface]);
    };
    await expect.poll(differing(everything), { timeout: drawnWithinMs, intervals: [250] }).toEqual([]);
    // The second read answers from caches, so that they are full when the content gets hidden.
    expect(await differing(everything)()).toEqual([]);
    const takeBack = await changes[state](subject);
    const promised = contentByState[state];
    await expectWithin(withinMs, differing(promised), []);
    expect(await differing(promised)()).toEqual([]);
    if (!takeBack) return;
    await takeBack();
    await expect.poll(differing(everything), { timeout: drawnWithinMs, intervals: [250] }).toEqual([]);
  });
