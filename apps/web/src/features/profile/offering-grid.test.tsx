import type { PublicOffering } from '@stoa/contracts';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from '@jest/globals';
import { fakeApi, renderAt } from '../../testing.tsx';
import { OfferingGrid } from './offering-grid.tsx';

const offering = (title: string, description: string): PublicOffering => ({
  id: crypto.randomUUID(),
  creatorId: crypto.randomUUID(),
  title,
  description,
  price: 'R150',
  type: 'eBook',
  state: 'published',
  paymentUrl: 'https://pay.example.com/x',
  coverImage: null,
  slug: title.toLowerCase(),
  createdAt: '2026-11-21T12:00:00Z',
  publishedAt: null,
  schedule: null,
  seats: null,
});

test('a long description is truncated and can be expanded', async () => {
  const long = 'A word. '.repeat(60).trim();
  fakeApi(() => Response.json({ items: [offering('Letters', long), offering('Songs', 'Three songs.')] }));
  renderAt('/profile/ama', <OfferingGrid username="ama" />);
  const text = await screen.findByText(long);
  expect(text.className).toContain('line-clamp');
  expect(text.dir).toBe('auto');
  const more = screen.getByRole('button', { name: 'More about Letters' });
  expect(more.getAttribute('aria-expanded')).toBe('false');
  await userEvent.click(more);
  expect(text.className).not.toContain('line-clamp');
  expect(screen.getByRole('button', { name: 'Less about Letters', expanded: true })).toBe(more);

  expect(screen.getAllByRole('button')).toEqual([more]);
});

test('a list has the same offerings, titles and payment links as cards', async () => {
  fakeApi(() => Response.json({ items: [offering('Letters', 'Twelve.'), offering('Songs', '')] }));
  renderAt('/profile/kofi', <OfferingGrid username="kofi" layout="list" />);
  const links = await screen.findAllByRole('link', { name: /^Access Now/ });
  expect(links.map(({ textContent }) => textContent)).toEqual([
    'Access Now: Letters (opens in a new tab)',
    'Access Now: Songs (opens in a new tab)',
  ]);
  expect(screen.getByRole('region', { name: 'Offerings' }).dataset.layout).toBe('list');
});

test('cover and title of a card both lead to the page of the offering', async () => {
  fakeApi(() => Response.json({ items: [offering('Letters', '')] }));
  renderAt('/profile/efua', <OfferingGrid username="efua" />);
  const card = await screen.findByRole('article');
  // The cover is for the pointer: the keyboard and who listens have the title.
  const cover = within(card).getAllByRole<HTMLAnchorElement>('link', { hidden: true })[0]!;
  expect([cover.tabIndex, cover.getAttribute('aria-hidden')]).toEqual([-1, 'true']);
  const title = within(card).getByRole('link', { name: 'Letters' });
  for (const link of [cover, title]) expect(link.getAttribute('href')).toBe('/profile/efua/letters');
});

test('the pinned offering is marked, and no other', async () => {
  const items = [offering('Letters', ''), offering('Songs', '')];
  fakeApi(() => Response.json({ items, pinnedId: items[0]?.id }));
  renderAt('/profile/esi', <OfferingGrid username="esi" />);
  const [pinned, other] = await screen.findAllByRole('article');
  expect(within(pinned!).getByText('Pinned')).toBeTruthy();
  expect(within(other!).queryByText('Pinned')).toBeNull();
});
