import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from '@jest/globals';
import { fakeApi } from '../../testing/fake-api.ts';
import { makePublicOffering } from '../../testing/offerings.ts';
import { renderAt } from '../../testing/render.tsx';
import { OfferingGrid } from './offering-grid.tsx';

const offering = (title: string, description: string) =>
  makePublicOffering({ id: crypto.randomUUID(), title, description, slug: title.toLowerCase() });

test('a long description is truncated and can be expanded [web-68]', async () => {
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

test("cover and title of a card both link to the offering's page [web-69]", async () => {
  fakeApi(() => Response.json({ items: [offering('Letters', '')] }));
  renderAt('/profile/efua', <OfferingGrid username="efua" />);
  const card = await screen.findByRole('article');
  // The cover is for pointers only. Keyboard and screen readers use the title.
  const cover = within(card).getAllByRole<HTMLAnchorElement>('link', { hidden: true })[0]!;
  expect([cover.tabIndex, cover.getAttribute('aria-hidden')]).toEqual([-1, 'true']);
  const title = within(card).getByRole('link', { name: 'Letters' });
  for (const link of [cover, title]) expect(link.getAttribute('href')).toBe('/profile/efua/letters');
});

test('only the creator sees that an offering is pinned', async () => {
  const items = [offering('Letters', ''), offering('Songs', '')];
  fakeApi(() => Response.json({ items, pinnedId: items[0]?.id }));
  renderAt('/profile/esi', <OfferingGrid username="esi" />);
  expect(await screen.findAllByRole('article')).toHaveLength(2);
  expect(screen.queryByText('Pinned')).toBeNull();
});

test("a card shows its text without markup and empty lines, and its type's usual label", async () => {
  const listed = { ...offering('Binding', 'You get:\n\n- **tools**\n- time'), type: 'Consultation' as const };
  fakeApi(() => Response.json({ items: [listed] }));
  renderAt('/profile/marta', <OfferingGrid username="marta" />);
  const card = within(await screen.findByRole('article'));
  expect(card.getByText(/You get/).textContent).toBe('You get:\ntools\ntime');
  expect(card.getByText('1:1 Consultation')).toBeTruthy();
});

test('the text of a card has a language attribute if the language is certain', async () => {
  fakeApi(() =>
    Response.json({ items: [offering('東京日記', '東京で書いています。'), offering('Lettres', 'Douze.')] }),
  );
  renderAt('/profile/yuki', <OfferingGrid username="yuki" />);
  expect((await screen.findByRole('heading', { name: '東京日記' })).lang).toBe('ja');
  expect(screen.getByText('東京で書いています。').lang).toBe('ja');
  // The page is in English, and the language of this title is unknown.
  expect(screen.getByRole('heading', { name: 'Lettres' }).getAttribute('lang')).toBe('');
});
