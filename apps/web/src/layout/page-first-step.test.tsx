import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import { expect, test } from '@jest/globals';
import { Link } from '../link.tsx';
import { renderInBrowser } from '../testing.tsx';
import { Page } from './page.tsx';

// In a file of its own: what `page.tsx` remembers lasts as long as its code does.
test('a step that comes before the first page is interactive moves the focus, too', async () => {
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
