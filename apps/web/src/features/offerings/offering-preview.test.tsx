import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from '@jest/globals';
import { MemoryRouter } from 'react-router-dom';
import { queryClient } from '../../api/query-client.ts';
import { makeCreator } from '../../testing/creators.ts';
import { fakeApi } from '../../testing/fake-api.ts';
import { render, renderAt } from '../../testing/render.tsx';
import AddOfferingPage from './add-offering-page.tsx';
import { emptyOffering, type OfferingValues } from './offering-form.ts';
import { OfferingPreview } from './offering-preview.tsx';

const preview = () => screen.getByRole('figure');

beforeEach(() => queryClient.clear());

function show(changes: Partial<OfferingValues>, chosenCover?: string) {
  fakeApi(() => Response.json(makeCreator({ palette: 'plum' })));
  return render(
    <MemoryRouter>
      <OfferingPreview values={{ ...emptyOffering(), ...changes }} chosenCover={chosenCover} />
    </MemoryRouter>,
  );
}

test("the preview is the profile's card in the creator's palette, without focus [web-46]", async () => {
  const values = {
    title: 'Ink',
    price: 'R150',
    type: 'eBook',
    paymentUrl: 'https://www.payfast.example/ink',
  };
  show(values as Partial<OfferingValues>, 'blob:chosen');
  await screen.findByText('This is how it looks on your profile.');
  await waitFor(() => {
    expect(preview().dataset.palette).toBe('plum');
  });
  const card = preview().querySelector('article')!;
  expect(card.querySelector('h3')?.textContent).toBe('Ink');
  for (const text of ['R150', 'eBook', 'payfast.example']) expect(within(card).getByText(text)).toBeTruthy();
  expect(card.querySelector('img')?.getAttribute('src')).toBe('blob:chosen');
  expect(card.closest('[inert]')).not.toBeNull();
  expect(preview().closest('[aria-live], [role=status]')).toBeNull();
});

test('the preview of an overlong text shows no more than a card may contain', () => {
  show({
    title: 'x'.repeat(100_000),
    description: 'A long book. '.repeat(100_000),
    price: 'R'.repeat(100_000),
  });
  expect(preview().textContent.length).toBeLessThan(20_000);
});

test('the preview shows that visitors do not see the offering', () => {
  show({ state: 'draft' });
  expect(preview().textContent).toContain('DraftHow it looks once you publish it.');
  expect(preview().textContent).toContain('Access Now');
});

test('the preview of a sold-out offering has no payment link either', () => {
  show({ state: 'sold_out', paymentUrl: 'https://pay.example.com/' });
  expect(within(preview()).getByText('Sold out')).toBeTruthy();
  expect(preview().textContent).not.toContain('Access Now');
});

const workshop = (changes: Partial<OfferingValues['workshop']> = {}) => ({
  type: 'Workshop' as const,
  workshop: {
    start: '2030-12-03T18:00',
    end: '2030-12-03T20:30',
    timeZone: 'Africa/Johannesburg',
    seats: '12',
    ...changes,
  },
});

test('the preview of a workshop shows date, zone and seats [web-47]', () => {
  show(workshop());
  expect(preview().textContent).toMatch(/Tuesday,? 3 December 2030.*18:00.20:30 \(Africa\/Johannesburg\)/);
  expect(preview().textContent).toContain('12 seats');
});

test('an incomplete date does not appear in the preview', () => {
  show(workshop({ start: '', seats: 'a few' }));
  expect(preview().textContent).not.toMatch(/2030|seats/);
  expect(preview().textContent).toContain('Access Now');
});

test('in the preview a full workshop is sold out, and an ended one has no seats [web-48]', () => {
  const { unmount } = show(workshop({ seats: '0' }));
  expect(within(preview()).getByText('Sold out')).toBeTruthy();
  unmount();
  show(workshop({ start: '2020-12-03T18:00', end: '' }));
  expect(within(preview()).getByText('This workshop has ended.')).toBeTruthy();
  expect(preview().textContent).not.toMatch(/12 seats|Access Now/);
});

test("the workshop's fields do not appear for another type", () => {
  show({ ...workshop(), type: 'eBook' });
  expect(preview().textContent).not.toMatch(/2030|seats/);
});

test('an incomplete payment link leads nowhere in the preview', () => {
  show({ paymentUrl: 'javascript:alert(1)' });
  expect(preview().querySelector('a[target=_blank]')?.getAttribute('href')).toBe('https:');
});

test('the preview follows the typing, and a button opens a closed one [web-49]', async () => {
  fakeApi(({ path }) => Response.json(path.endsWith('/offerings') ? { items: [] } : makeCreator()));
  renderAt('/dashboard/add-offering', <AddOfferingPage />);
  await userEvent.type(screen.getByLabelText(/Title/), 'Letters');
  expect(preview().querySelector('h3')?.textContent).toBe('Letters');
  fireEvent.change(screen.getByLabelText(/Price/), { target: { value: '$12' } });
  expect(within(preview()).getByText('$12')).toBeTruthy();
  const button = screen.getByRole('button', { name: 'Show Preview', expanded: false });
  await userEvent.click(button);
  expect(screen.getByRole('button', { name: 'Hide Preview', expanded: true })).toBe(button);
  const fields = [...document.querySelectorAll('form input:not([type=hidden])')];
  expect(fields[0]?.getAttribute('type')).toBe('file');
});
