import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Link, Route, Routes } from 'react-router-dom';
import { expect, test } from '@jest/globals';
import { renderInBrowser } from '../testing/render.tsx';
import { Page } from './page.tsx';

// A separate file, since `page.tsx` keeps module state.
test('a navigation before the first page is interactive moves the focus, too', async () => {
  renderInBrowser(
    <main id="main" tabIndex={-1}>
      <Routes>
        <Route path="/" element={<Link to="/about">About</Link>} />
        <Route path="/about" element={<Page title="About Us">About us</Page>} />
      </Routes>
    </main>,
  );
  await userEvent.click(screen.getByRole('link', { name: 'About' }));
  const main = await screen.findByRole('main', { name: 'About Us' });
  await waitFor(() => expect(document.activeElement).toBe(main));
});
