import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Link, Route, Routes } from 'react-router-dom';
import { expect, test } from '@jest/globals';
import { renderInBrowser } from '../testing/render.tsx';
import { Page } from './page.tsx';

function Site() {
  return (
    <main id="main" tabIndex={-1}>
      <Routes>
        <Route
          path="/"
          element={
            <Page key="home" title="Stoa">
              <Link to="/about">About</Link>
            </Page>
          }
        />
        <Route
          path="/about"
          element={
            <Page key="about" title="About Us">
              <h1>About us</h1>
            </Page>
          }
        />
      </Routes>
    </main>
  );
}

test("a navigation moves the focus to the main element, which has the page's name", async () => {
  history.replaceState(null, '', '/');
  renderInBrowser(<Site />);
  const main = screen.getByRole('main', { name: 'Stoa' });
  expect(document.activeElement).toBe(document.body);
  await userEvent.click(screen.getByRole('link', { name: 'About' }));
  await waitFor(() => expect(document.activeElement).toBe(main));
  expect(screen.getByRole('main', { name: 'About Us' })).toBe(main);
  history.back();
  await waitFor(() => expect(main.getAttribute('aria-label')).toBe('Stoa'));
  expect(document.activeElement).toBe(main);
});
