import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Link, Route, Routes } from 'react-router-dom';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { queryClient } from '../../api/query-client.ts';
import { makePublicCreator } from '../../testing/creators.ts';
import { fakeApi, problem } from '../../testing/fake-api.ts';
import { renderAt, withText } from '../../testing/render.tsx';
import CreatorContactPage from './creator-contact-page.tsx';

const creator = makePublicCreator({ username: 'zoe', displayName: 'Zoë' });

beforeEach(() => queryClient.clear());

function renderPage() {
  renderAt(
    '/profile/zoe/contact',
    <Routes>
      <Route path="/profile/:username/contact" element={<CreatorContactPage />} />
    </Routes>,
  );
}

async function fillIn() {
  await userEvent.type(await screen.findByLabelText(/Name/), 'Ada');
  await userEvent.type(screen.getByLabelText(/Email/), 'ada@example.com');
  await userEvent.type(screen.getByLabelText(/Subject/), 'Hello');
  await userEvent.type(screen.getByLabelText(/Message/), 'A question');
  await userEvent.click(screen.getByRole('button', { name: 'Send Message' }));
}

test('sends the message to the creator whose page it is [web-17]', async () => {
  const asked = fakeApi(({ method, body }) =>
    method === 'POST' ? Response.json(body, { status: 202 }) : Response.json(creator),
  );
  renderPage();
  await fillIn();
  // The text names the creator, not “we”, since the creator answers.
  await screen.findByText(withText('Thanks for your message! It goes to Zoë, who answers by email.'));
  const sent = asked.filter(({ method }) => method === 'POST');
  expect(sent).toMatchObject([{ path: '/api/creators/zoe/messages', body: { subject: 'Hello' } }]);
});

test('the same text to another creator is another message, even after a failure', async () => {
  jest.spyOn(console, 'error').mockReturnValue();
  const asked = fakeApi(({ method, path }) =>
    method === 'POST'
      ? problem(503, 'unavailable')
      : Response.json(makePublicCreator({ username: path.split('/').at(-1) ?? '' })),
  );
  renderAt(
    '/profile/zoe/contact',
    <>
      <Link to="/profile/zoe/contact">To Zoë</Link>
      <Link to="/profile/kofi/contact">To Kofi</Link>
      <Routes>
        <Route path="/profile/:username/contact" element={<CreatorContactPage />} />
      </Routes>
    </>,
  );
  await screen.findByText('Back to @zoe');
  await userEvent.click(screen.getByText('To Kofi'));
  await screen.findByText('Back to @kofi');
  await userEvent.click(screen.getByText('To Zoë'));
  await screen.findByText('Back to @zoe');
  await fillIn();
  await screen.findByText(/Oops!/);
  await userEvent.click(screen.getByText('To Kofi'));
  await userEvent.click(await screen.findByRole('button', { name: 'Leave' }));
  await screen.findByText('Back to @kofi');
  await fillIn();
  await screen.findByText(/Oops!/);
  const sent = asked.filter(({ method }) => method === 'POST');
  expect(sent.map(({ path }) => path)).toEqual(['/api/creators/zoe/messages', '/api/creators/kofi/messages']);
  expect(new Set(sent.map(({ body }) => (body as { id: string }).id)).size).toBe(2);
});

test('a creator who has switched to mail is explained, and the text is kept', async () => {
  jest.spyOn(console, 'error').mockReturnValue();
  fakeApi(({ method }) => (method === 'POST' ? problem(409, 'conflict') : Response.json(creator)));
  renderPage();
  await fillIn();
  await screen.findByText(/Oops! There was a problem submitting your form\. This creator now takes mail/);
  expect(screen.getByLabelText<HTMLInputElement>(/Message/).value).toBe('A question');
});

test('a creator who shows their address gets mail, not a form', async () => {
  fakeApi(() => Response.json({ ...creator, contactBy: 'email', email: 'zoe@example.com' }));
  renderPage();
  const link = await screen.findByRole('link', { name: 'zoe@example.com' });
  expect(link.getAttribute('href')).toBe('mailto:zoe@example.com');
  expect(screen.queryByRole('button', { name: 'Send Message' })).toBeNull();
});

test('a server error shows its trace id and a retry', async () => {
  jest.spyOn(console, 'error').mockReturnValue();
  const trace = { type: 'about:blank', title: 'internal', status: 500, code: 'internal', traceId: 'abc123' };
  fakeApi(() => Response.json(trace, { status: 500 }));
  renderPage();
  await screen.findByRole('heading', { name: 'Failed to load creator profile.' }, { timeout: 3_000 });
  expect(screen.getByText(/abc123/)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
});

test('an invalid username is not found, without a retry', async () => {
  jest.spyOn(console, 'error').mockReturnValue();
  fakeApi(() => problem(400, 'invalid_input'));
  renderPage();
  await screen.findByRole('heading', { name: 'Creator not found.' });
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});

test('an unknown creator is not found, without a retry', async () => {
  jest.spyOn(console, 'error').mockReturnValue();
  fakeApi(() => problem(404, 'not_found'));
  renderPage();
  await screen.findByRole('heading', { name: 'Creator not found.' });
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});
