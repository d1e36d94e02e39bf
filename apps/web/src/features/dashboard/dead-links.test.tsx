import type { DeadLink } from '@stoa/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from '@jest/globals';
import { queryClient } from '../../api/query-client.ts';
import { fakeApi } from '../../testing/fake-api.ts';
import { renderAt, withText } from '../../testing/render.tsx';
import { DeadLinks } from './dead-links.tsx';

beforeEach(() => queryClient.clear());

const payment: DeadLink = {
  id: '4f9f4a56-8a5a-4a4e-9d5e-0f9f0c3f7a11',
  ...{ kind: 'payment', label: 'Access Now', url: 'https://pay.example.com/letters' },
  ...{ offeringId: '4f9f4a56-8a5a-4a4e-9d5e-0f9f0c3f7a12', title: 'Twelve letters' },
  ...{ finding: 'not_found', since: '2026-11-20T10:00:00.000Z', lookedAt: '2026-11-22T10:00:00.000Z' },
  isQueued: false,
};
const support: DeadLink = {
  ...payment,
  id: '4f9f4a56-8a5a-4a4e-9d5e-0f9f0c3f7a13',
  ...{ kind: 'support', label: 'Coffee', url: 'https://coffee.example.com/', offeringId: null, title: '' },
  finding: 'no_such_host',
};

/** Renders the panel. Each read returns the next of these lists, and the last one repeats. */
function shown(lists: DeadLink[][], checked: () => Response = () => Response.json({ items: [] })) {
  let reads = 0;
  const asked = fakeApi(({ method }) => {
    if (method === 'POST') return checked();
    reads += 1;
    return Response.json({ items: lists[Math.min(reads, lists.length) - 1] });
  });
  renderAt('/dashboard', <DeadLinks />);
  return asked;
}

test('a dead link shows its place, the finding and since when [web-18]', async () => {
  shown([[payment, support]]);
  const [first, second] = await screen.findAllByRole('listitem');
  expect(
    within(first!).getByRole('heading', { name: /^Payment link of “ ?Twelve letters ?”$/ }),
  ).toBeTruthy();
  expect(within(first!).getByText('https://pay.example.com/letters')).toBeTruthy();
  expect(first!.textContent).toContain('The page was not found. Since 20 Nov 2026, last checked 22 Nov 2026');
  expect(within(first!).getByRole('link', { name: 'Edit offering' }).getAttribute('href')).toBe(
    `/dashboard/edit-offering/${payment.offeringId}`,
  );
  expect(within(second!).getByRole('heading', { name: /^Support link “ ?Coffee ?”$/ })).toBeTruthy();
  expect(second!.textContent).toContain('There is no such address any more.');
  expect(within(second!).getByRole('link', { name: 'Edit profile' }).getAttribute('href')).toBe(
    '/dashboard/edit-profile',
  );
});

test("'Check again' queues a check, and a working link is announced and removed [web-19]", async () => {
  const queued = { ...payment, isQueued: true };
  const asked = shown([[payment], []], () => Response.json({ items: [queued] }, { status: 202 }));
  await userEvent.click(await screen.findByRole('button', { name: 'Check again' }));
  expect(await screen.findByText(/^We are looking at it again/)).toBeTruthy();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Checking...' }).disabled).toBe(true);
  expect(asked.find(({ method }) => method === 'POST')).toMatchObject({
    path: `/api/me/link-health/${payment.id}/looks`,
  });
  expect(
    await screen.findByText(
      withText('Payment link of “Twelve letters” works again.'),
      {},
      { timeout: 10_000 },
    ),
  ).toBeTruthy();
  expect(screen.queryByRole('listitem')).toBeNull();
});

test('a rate limited check shows when it may be repeated, and the link stays', async () => {
  const refusal = { code: 'rate_limited', title: '', status: 429 };
  shown([[payment]], () => Response.json(refusal, { status: 429, headers: { 'retry-after': '120' } }));
  await userEvent.click(await screen.findByRole('button', { name: 'Check again' }));
  expect((await screen.findByRole('alert')).textContent).toBe(
    'You have asked for this link a moment ago. Please try again in 2 minutes.',
  );
  expect(screen.getAllByRole('listitem')).toHaveLength(1);
});

test('without dead links the panel is empty', async () => {
  const asked = shown([[]]);
  await waitFor(() => expect(asked).toHaveLength(1));
  expect(screen.queryByRole('region')).toBeNull();
});
