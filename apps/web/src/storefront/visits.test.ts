import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { waitFor } from '@testing-library/react';
import { storeAnswers } from '../api/public/public.queries.ts';
import { queryClient } from '../api/query-client.ts';
import { beginSession, dropSession } from '../auth/session.ts';
import { makePublicCreator } from '../testing/creators.ts';
import { countVisits, type Navigation } from './visits.ts';

const sent: Blob[] = [];
const offering = {
  id: crypto.randomUUID(),
  title: 'Ink',
  slug: 'ink',
  paymentUrl: 'https://pay.example/ink',
};
const creator = makePublicCreator({ paygates: [{ name: 'Tips', url: 'https://tips.example/' }] });
const { uid: creatorId } = creator;

beforeEach(() => {
  sent.length = 0;
  Object.assign(navigator, {
    sendBeacon: (_: string, body: Blob) => sent.push(body) > 0,
    doNotTrack: null,
  });
  storeAnswers(queryClient, {
    '/api/creators/ada': creator,
    '/api/creators/ada/offerings': { items: [offering], pinnedId: null },
    '/api/creators/ada/offerings/ink': offering,
  });
});
afterEach(() => {
  document.body.replaceChildren();
  dropSession();
});

/** Simulates a router at `pathname` that can navigate. */
function visit(pathname: string) {
  const listeners: ((state: Navigation['state']) => void)[] = [];
  const at = (path: string) => {
    history.replaceState(null, '', path);
    return { location: { pathname: path } };
  };
  const state = at(pathname);
  countVisits({ state, subscribe: (listener) => listeners.push(listener) });
  return { go: (path: string) => listeners.forEach((listener) => listener(at(path))) };
}

const parsed = async (): Promise<unknown[]> =>
  Promise.all(
    sent.map(async (body) => {
      const { id, ...visited } = JSON.parse(await new Response(body).text()) as { id: string };
      expect(id).toMatch(/^[0-9a-f-]{36}$/);
      return visited;
    }),
  );

function follow(text: string, attributes: Record<string, string>): void {
  const link = document.createElement('a');
  for (const [name, value] of Object.entries(attributes)) link.setAttribute(name, value);
  link.textContent = text;
  link.addEventListener('click', (event) => event.preventDefault());
  document.body.append(link);
  link.click();
}

test('a displayed profile counts once, and so does an offering opened from it', async () => {
  const { go } = visit('/profile/ada');
  await waitFor(() => expect(sent).toHaveLength(1));
  go('/profile/ada');
  go('/profile/ada/ink');
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(await parsed()).toEqual([
    { kind: 'view', creatorId },
    { kind: 'view', creatorId, offeringId: offering.id },
  ]);
});

test('clicks on Access Now, a support link and a download are counted separately', async () => {
  const { go } = visit('/profile/ada');
  await waitFor(() => expect(sent).toHaveLength(1));
  follow('Access Now: Ink', { href: offering.paymentUrl, rel: 'noopener nofollow' });
  follow('Tips', { href: 'https://tips.example/', rel: 'noopener nofollow' });
  follow('YouTube', { href: 'https://youtube.com/@ada', rel: 'noopener nofollow' });
  const buyer = { creatorId, offeringId: offering.id };
  go(`/download/${creatorId}/${offering.id}`);
  follow('Download Now', { href: '#', download: '' });
  expect((await parsed()).slice(1)).toEqual(
    expect.arrayContaining([
      { kind: 'access', ...buyer },
      { kind: 'support', creatorId },
      { kind: 'download', ...buyer },
    ]),
  );
  expect(await parsed()).not.toContainEqual(
    expect.objectContaining({ kind: 'view', offeringId: offering.id }),
  );
});

test("the owner's own visit is not counted [web-113]", async () => {
  beginSession(creatorId);
  const { go } = visit('/profile/ada');
  follow('Tips', { href: 'https://tips.example/', rel: 'nofollow' });
  dropSession();
  go('/profile/ada/ink');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(await parsed()).toEqual([{ kind: 'view', creatorId, offeringId: offering.id }]);
});

test('Do Not Track prevents counting', async () => {
  Object.assign(navigator, { doNotTrack: '1' });
  let asked = false;
  countVisits({
    state: { location: { pathname: '/profile/ada' } },
    subscribe: () => (asked = true),
  });
  expect(asked).toBe(false);
  expect(sent).toEqual([]);
});

test.each([
  ['that cannot send', { sendBeacon: undefined }],
  [
    'whose sending fails',
    {
      sendBeacon: () => {
        throw new TypeError('blocked');
      },
    },
  ],
  ['that refuses to send', { sendBeacon: () => false }],
])('in a browser %s, the payment link still works [web-114]', async (_, broken) => {
  Object.assign(navigator, broken);
  const failed: unknown[] = [];
  const note = (event: ErrorEvent) => failed.push(event.error);
  addEventListener('error', note);
  visit('/profile/ada');
  const link = document.createElement('a');
  Object.assign(link, {
    href: offering.paymentUrl,
    rel: 'noopener nofollow',
    textContent: 'Access Now: Ink',
  });
  document.body.append(link);
  const click = new MouseEvent('click', { bubbles: true, cancelable: true });
  let isLed: boolean | undefined;
  const see = (event: Event) => {
    isLed = !event.defaultPrevented;
    // jsdom cannot navigate.
    event.preventDefault();
  };
  addEventListener('click', see);
  link.dispatchEvent(click);
  removeEventListener('click', see);
  removeEventListener('error', note);
  expect([isLed, failed]).toEqual([true, []]);
});
