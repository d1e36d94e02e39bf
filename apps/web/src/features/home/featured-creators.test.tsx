import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from '@jest/globals';
import { renderAt } from '../../testing/render.tsx';
import { FeaturedCreators } from './featured-creators.tsx';

const names = () => screen.queryAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);

test('the sample list matches words in any order and without accents', async () => {
  renderAt('/', <FeaturedCreators />);
  expect(names()).toHaveLength(5);
  const field = screen.getByRole('searchbox');
  await userEvent.type(field, 'sorberg linnea');
  await waitFor(() => expect(names()).toEqual(['Linnea Sørberg']));
  await userEvent.clear(field);
  expect(names()).toHaveLength(5);
  await userEvent.type(field, 'amara haddad');
  await screen.findByText('No featured creators match your search.');
});
