import type { Layout, Palette, Picture } from '@stoa/contracts';
import { screen, within } from '@testing-library/react';
import { expect, test } from '@jest/globals';
import { queryClient } from '../../api/query-client.ts';
import { fakeApi, problem } from '../../testing/fake-api.ts';
import { render } from '../../testing/render.tsx';
import { LookPreview } from './look-preview.tsx';

const look = (palette: Palette, layout: Layout, header: Picture | null = null) => (
  <LookPreview palette={palette} layout={layout} name="Ada" picture={null} header={header} />
);
const preview = () => screen.getByRole('figure');
const titles = () =>
  within(preview())
    .getAllByRole('listitem')
    .map((item) => item.querySelector('p')?.textContent);

const offering = (title: string, state: string) => ({
  ...{ id: crypto.randomUUID(), title, state, type: 'eBook', price: 'R150', coverImage: null },
});

test('the preview applies palette and layout immediately, with sample offerings [web-60]', async () => {
  queryClient.clear();
  fakeApi(() => problem(503, 'unavailable'));
  const { rerender } = render(look('terracotta', 'cards'));
  expect(preview().getAttribute('aria-label')).toBe('Preview in Terracotta, layout Cards');
  expect(preview().dataset.palette).toBeUndefined();
  rerender(look('plum', 'list'));
  expect(preview().getAttribute('aria-label')).toBe('Preview in Plum, layout List');
  expect(preview().dataset).toMatchObject({ palette: 'plum' });
  expect(preview().textContent).toContain('Ada');
  expect(titles()).toEqual(['Your first offering', 'Your second offering']);
  // The preview is a picture of a page: nothing in it is focusable.
  expect(preview().querySelectorAll('a, button, input')).toHaveLength(0);
});

test("the preview shows the creator's public offerings", async () => {
  queryClient.clear();
  const items = [
    ...[offering('Hidden', 'hidden'), offering('Letters', 'published'), offering('Ink', 'sold_out')],
    { ...offering('Hidden by Stoa', 'published'), takenDown: true },
  ];
  fakeApi(() => Response.json({ items, pinnedId: null, version: 1 }));
  render(look('olive', 'list'));
  await screen.findByText('Letters');
  expect(titles()).toEqual(['Letters', 'Ink']);
  expect(screen.getAllByText('Sold out')).toHaveLength(1);
});

test('the preview shows the header once there is one', () => {
  fakeApi(() => problem(503, 'unavailable'));
  const header = { id: '1', path: 'header', widths: [480, 800], width: 800, height: 267, color: '#aabbcc' };
  const { rerender } = render(look('olive', 'list'));
  expect(preview().querySelector('img')).toBeNull();
  rerender(look('olive', 'list', header));
  expect(preview().querySelector('img')?.getAttribute('src')).toBe('/header/800.webp');
});
