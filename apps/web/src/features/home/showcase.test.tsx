import type { Showcase as Shown } from '@stoa/contracts';
import { screen } from '@testing-library/react';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { queryClient } from '../../api/query-client.ts';
import { fakeApi, problem } from '../../testing/fake-api.ts';
import { renderAt } from '../../testing/render.tsx';
import { Showcase } from './showcase.tsx';

beforeEach(() => queryClient.clear());

const picture = {
  id: crypto.randomUUID(),
  path: 'p/1',
  width: 80,
  height: 80,
  widths: [80],
  color: '#aabbcc',
};
const shown: Shown = {
  creator: {
    ...{ uid: crypto.randomUUID(), username: 'ama', displayName: 'Ama Boateng', profileImage: picture },
    ...{ niches: ['Poet'], offeringCount: 2, bioPreview: 'Poems about rivers' },
  },
  offerings: [
    { slug: 'letters', title: 'Twelve letters', price: 'R150', coverImage: picture },
    { slug: 'ink', title: 'Ink', price: 'from $5', coverImage: null },
  ],
};
const sample = () => screen.queryByText('What the River Kept');

test("shows a creator's page with name, one line and two offerings, as one link to it [web-34]", async () => {
  fakeApi(() => Response.json(shown));
  renderAt('/', <Showcase />);
  const link = await screen.findByRole('link', { name: 'Ama Boateng' });
  expect(link.getAttribute('href')).toBe('/profile/ama');
  expect(screen.getAllByRole('link')).toHaveLength(1);
  for (const words of ['@ama', 'Poet', 'Poems about rivers...', 'Twelve letters', 'R150', 'Ink', 'from $5'])
    screen.getByText(words);
  expect(sample()).toBeNull();
});

test('shows two offerings with the same title as two', async () => {
  const complaints = jest.spyOn(console, 'error').mockReturnValue();
  const [first, second] = shown.offerings.map((one) => ({ ...one, title: 'Letters' }));
  fakeApi(() => Response.json({ ...shown, offerings: [first, second] }));
  renderAt('/', <Showcase />);
  expect(await screen.findAllByText('Letters')).toHaveLength(2);
  expect(complaints).not.toHaveBeenCalled();
});

test.each([
  ['no creator has a complete page', () => Response.json({ creator: null, offerings: [] })],
  ['the read fails', () => problem(400, 'invalid_input')],
])('shows the sample, hidden from screen readers, if %s', async (_, answer) => {
  jest.spyOn(console, 'error').mockReturnValue();
  fakeApi(answer);
  renderAt('/', <Showcase />);
  const words = await screen.findByText('What the River Kept');
  expect(words.closest('[aria-hidden="true"]')).not.toBeNull();
  expect(screen.queryByRole('link')).toBeNull();
});
