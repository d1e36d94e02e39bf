import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from '@jest/globals';
import { MemoryRouter } from 'react-router-dom';
import { queryClient } from '../../api/query-client.ts';
import { fakeApi, makeCreator, renderAt } from '../../testing.tsx';
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

test("the preview is the profile's card in the creator's palette, and takes no focus", async () => {
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

test('of a text that is much too long the preview lays out no more than a card may have', () => {
  show({
    title: 'x'.repeat(100_000),
    description: 'A long book. '.repeat(100_000),
    price: 'R'.repeat(100_000),
  });
  expect(preview().textContent.length).toBeLessThan(20_000);
});

test('the preview says what visitors do not see', () => {
  show({ state: 'draft' });
  expect(preview().textContent).toContain('DraftHow it looks once you publish it.');
  expect(preview().textContent).toContain('Access Now');
});

test('a sold-out offering has no way to buy it in the preview either', () => {
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

test('a workshop is previewed with its date, zone and seats', () => {
  show(workshop());
  expect(preview().textContent).toMatch(/Tuesday,? 3 December 2030.*18:00.20:30 \(Africa\/Johannesburg\)/);
  expect(preview().textContent).toContain('12 seats');
});

test('a date that is not typed in full is no date in the preview', () => {
  show(workshop({ start: '', seats: 'a few' }));
  expect(preview().textContent).not.toMatch(/2030|seats/);
  expect(preview().textContent).toContain('Access Now');
});

test('a full workshop is sold out in the preview, and an ended one says so, without seats', () => {
  const { unmount } = show(workshop({ seats: '0' }));
  expect(within(preview()).getByText('Sold out')).toBeTruthy();
  unmount();
  show(workshop({ start: '2020-12-03T18:00', end: '' }));
  expect(within(preview()).getByText('This workshop has ended.')).toBeTruthy();
  expect(preview().textContent).not.toMatch(/12 seats|Access Now/);
});

test('what is typed for a workshop is not shown for another type', () => {
  show({ ...workshop(), type: 'eBook' });
  expect(preview().textContent).not.toMatch(/2030|seats/);
});

test('what is no payment link yet leads nowhere in the preview', () => {
  show({ paymentUrl: 'javascript:alert(1)' });
  expect(preview().querySelector('a[target=_blank]')?.getAttribute('href')).toBe('https:');
});

test('the preview follows what is typed, and opens by a button where it is closed', async () => {
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
