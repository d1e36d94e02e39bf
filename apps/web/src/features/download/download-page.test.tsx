import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import { expect, jest, test } from '@jest/globals';
import { fakeApi, problem, renderAt } from '../../testing.tsx';
import DownloadPage from './download-page.tsx';

test('a retry keeps the focus within the page while it loads', async () => {
  jest.spyOn(console, 'error').mockReturnValue();
  const waiting = Promise.withResolvers<Response>();
  let down = true;
  fakeApi(() => (down ? problem(503, 'unavailable') : waiting.promise));
  renderAt(
    '/download/7c1f/9a2e',
    <main tabIndex={-1}>
      <Routes>
        <Route path="/download/:creatorId/:offeringId" element={<DownloadPage />} />
      </Routes>
    </main>,
  );
  const again = await screen.findByRole('button', { name: 'Try again' }, { timeout: 10_000 });
  down = false;
  await userEvent.click(again);
  await screen.findByText('Preparing your download...');
  expect(document.activeElement).toBe(screen.getByRole('main'));

  waiting.resolve(Response.json({ title: 'A song', type: 'Audio', mediaUrl: null, keyNeeded: false }));
  await screen.findByRole('heading', { name: 'A song' });
  expect(document.activeElement).toBe(screen.getByRole('main'));
});

test('a revoked key is explained, with the creator to ask', async () => {
  jest.spyOn(console, 'error').mockReturnValue();
  fakeApi(() => problem(404, 'not_found'));
  renderAt(
    '/download/7c1f/9a2e#key=outlived',
    <Routes>
      <Route path="/download/:creatorId/:offeringId" element={<DownloadPage />} />
    </Routes>,
  );
  await screen.findByText("Sorry, we couldn't find that offering.");
  expect(screen.getByText(/its creator has replaced it. Ask them for the new one/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Find the Creator' }).getAttribute('href')).toBe(
    '/browse-creators',
  );
});
