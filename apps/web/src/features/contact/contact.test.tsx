import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { renderToString } from 'react-dom/server';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, jest, test } from '@jest/globals';
import { saveDraftsAndLeave } from '../../browser/drafts.ts';
import { brokenEvent } from '../../browser/lost-code.ts';
import { beginSession, dropSession } from '../../auth/session.ts';
import { type RecordedRequest, fakeApi, problem } from '../../testing/fake-api.ts';
import { renderAt } from '../../testing/render.tsx';
import ContactPage from './contact-page.tsx';

afterEach(() => {
  dropSession();
  sessionStorage.clear();
});

const failed = 'Oops! There was a problem submitting your form.';
const thanks = "Thanks for your message! We'll be in touch soon.";

async function fillIn() {
  await userEvent.type(screen.getByLabelText(/Name/), 'Ada');
  await userEvent.type(screen.getByLabelText(/Email/), 'ada@example.com');
  await userEvent.type(screen.getByLabelText(/Subject/), 'Hello');
  await userEvent.type(screen.getByLabelText(/Message/), 'A question');
}

const button = () => screen.getByRole('button', { name: 'Send Message' });

test('names every empty field, focuses the first and sends nothing', async () => {
  const asked = fakeApi(() => Response.json({}));
  renderAt('/contact', <ContactPage />);
  await userEvent.click(button());

  expect(await screen.findAllByText('This field is required.')).toHaveLength(4);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(/Name/)));
  expect(screen.getByRole('alert').textContent).toBe('Please check the form. This field is required.');
  expect(asked).toEqual([]);
});

test('a message that is too long is refused before it is sent', async () => {
  const asked = fakeApi(() => Response.json({}));
  renderAt('/contact', <ContactPage />);
  await fillIn();
  await screen.findByText('10 / 5000 characters');
  await userEvent.click(screen.getByLabelText(/Message/));
  await userEvent.paste('x'.repeat(5000));
  await userEvent.click(button());
  expect((await screen.findAllByText('Must be at most 5000 characters.')).length).toBeGreaterThan(0);
  expect(asked).toEqual([]);
});

test('a double click sends one message, and success clears the form', async () => {
  const asked = fakeApi(({ body }) => Response.json(body, { status: 202 }));
  renderAt('/contact', <ContactPage />);
  await fillIn();
  await userEvent.dblClick(button());

  await screen.findByText(thanks);
  expect(asked).toHaveLength(1);
  expect(screen.getByLabelText<HTMLInputElement>(/Name/).value).toBe('');
});

test('a retry after a failure sends the same message id, and the next message another', async () => {
  jest.spyOn(console, 'error').mockReturnValue();
  let down = true;
  const asked = fakeApi(({ body }) =>
    down ? problem(503, 'unavailable') : Response.json(body, { status: 202 }),
  );
  renderAt('/contact', <ContactPage />);
  await fillIn();
  await userEvent.click(button());

  await screen.findByText(failed);
  expect(screen.getByLabelText<HTMLInputElement>(/Message/).value).toBe('A question');

  down = false;
  await userEvent.click(button());
  await screen.findByText(thanks);
  await fillIn();
  await userEvent.click(button());
  await waitFor(() => expect(asked).toHaveLength(3));

  const [first, retried, next] = asked.map(({ body }: RecordedRequest) => (body as { id: string }).id);
  expect(retried).toBe(first);
  expect(next).not.toBe(first);
});

test.each([
  ['1800', 'in 30 minutes'],
  ['59', 'in a minute'],
  [undefined, 'later'],
])('a Retry-After of %s s shows “try again %s” and keeps the text', async (seconds, when) => {
  jest.spyOn(console, 'error').mockReturnValue();
  fakeApi(() => {
    const refused = problem(429, 'rate_limited');
    if (seconds) refused.headers.set('retry-after', seconds);
    return refused;
  });
  renderAt('/contact', <ContactPage />);
  await fillIn();
  await userEvent.click(button());

  await screen.findByText(
    `${failed} Several messages have come from your network within the hour. Please try again ${when}.`,
  );
  expect(screen.getByLabelText<HTMLInputElement>(/Message/).value).toBe('A question');
});

test('shows a field error of the server at that field', async () => {
  jest.spyOn(console, 'error').mockReturnValue();
  fakeApi(() => problem(400, 'invalid_input', [{ field: 'subject', message: 'Must be a single line.' }]));
  renderAt('/contact', <ContactPage />);
  await fillIn();
  await userEvent.click(button());

  await screen.findByText('Must be a single line.');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(/Subject/)));
});

test("the message's length is counted while typing [web-15]", async () => {
  fakeApi(() => Response.json({}));
  renderAt('/contact', <ContactPage />);
  expect(await screen.findByText('0 / 5000 characters')).toBeTruthy();
  const message = screen.getByLabelText<HTMLTextAreaElement>(/Message/);
  fireEvent.change(message, { target: { value: 'é'.repeat(5001) } });
  expect(screen.getByText('5001 / 5000 characters')).toBeTruthy();
  expect(document.getElementById(message.getAttribute('aria-describedby') ?? '')?.textContent).toContain(
    '5001 / 5000 characters',
  );
});

const ada = { displayName: 'Ada Lovelace', email: 'ada@stoa.example' };
const valueOf = (label: RegExp) => screen.getByLabelText<HTMLInputElement>(label).value;

test("a signed-in creator's name and address are filled in, also for the next message [web-16]", async () => {
  fakeApi(({ path, body }) => Response.json(path === '/api/me' ? ada : body));
  act(() => beginSession('ada', ada.email));
  renderAt('/contact', <ContactPage />);
  await waitFor(() => expect(valueOf(/Email/)).toBe(ada.email));
  expect(valueOf(/Name/)).toBe(ada.displayName);
  await userEvent.type(screen.getByLabelText(/Subject/), 'Hello');
  await userEvent.type(screen.getByLabelText(/Message/), 'A question');
  await userEvent.click(button());
  await screen.findByText(thanks);
  expect([valueOf(/Name/), valueOf(/Email/), valueOf(/Message/)]).toEqual([ada.displayName, ada.email, '']);
});

test('text typed before the session is known stays', async () => {
  const { promise: told, resolve: tell } = Promise.withResolvers<void>();
  fakeApi(async () => {
    await told;
    return Response.json(ada);
  });
  act(() => beginSession('ada', ada.email));
  renderAt('/contact', <ContactPage />);
  await userEvent.type(screen.getByLabelText(/Email/), 'other@example.com');
  tell();
  await waitFor(() => expect(valueOf(/Name/)).toBe(ada.displayName));
  expect(valueOf(/Email/)).toBe('other@example.com');
});

const restored = 'What you typed before is here again. It is not sent yet.';

/** Reloads as a browser does: the page receives the event, and none of its code runs afterwards. */
function reload(): void {
  dispatchEvent(new Event('pagehide'));
  const kept = Object.entries(sessionStorage) as [string, string][];
  cleanup();
  for (const [key, value] of kept) sessionStorage.setItem(key, value);
}

test('an unsent message returns after a reload, with what was typed since', async () => {
  jest.spyOn(console, 'error').mockReturnValue();
  const answers = [problem(503, 'unavailable'), Response.json({}, { status: 202 })];
  fakeApi(() => answers.shift()!);
  renderAt('/contact', <ContactPage />);
  await fillIn();
  await userEvent.click(button());
  await screen.findByText(failed);
  await userEvent.type(screen.getByLabelText(/Message/), ', please');
  reload();

  renderAt('/contact', <ContactPage />);
  expect(screen.getByText(restored)).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>(/Email/).value).toBe('ada@example.com');
  expect(screen.getByLabelText<HTMLTextAreaElement>(/Message/).value).toBe('A question, please');
  await userEvent.click(button());
  await screen.findByText(thanks);
  expect(screen.queryByText(restored)).toBeNull();
  reload();
  renderAt('/contact', <ContactPage />);
  expect(screen.getByLabelText<HTMLTextAreaElement>(/Message/).value).toBe('');
});

test('a message is kept over a log-in, but not after leaving for another page', async () => {
  jest.spyOn(console, 'error').mockReturnValue();
  fakeApi(() => problem(503, 'unavailable'));
  renderAt('/contact', <ContactPage />);
  await fillIn();
  saveDraftsAndLeave();
  reload();
  const { unmount } = renderAt('/contact', <ContactPage />);
  expect(screen.getByLabelText<HTMLTextAreaElement>(/Message/).value).toBe('A question');
  await userEvent.click(button());
  await screen.findByText(failed);
  unmount();
  renderAt('/contact', <ContactPage />);
  expect(screen.getByLabelText<HTMLTextAreaElement>(/Message/).value).toBe('');
  expect({ ...sessionStorage }).toEqual({});
});

test('a message is kept if the next page breaks', async () => {
  renderAt('/contact', <ContactPage />);
  await fillIn();
  cleanup();
  dispatchEvent(new Event(brokenEvent));
  renderAt('/contact', <ContactPage />);
  expect(screen.getByLabelText<HTMLTextAreaElement>(/Message/).value).toBe('A question');
});

test('a server-rendered page restores the draft', async () => {
  const errors = jest.spyOn(console, 'error').mockReturnValue();
  sessionStorage.setItem(
    'stoa.draft.contact',
    JSON.stringify({ name: '', email: '', subject: '', message: 'Kept' }),
  );
  const place = document.body.appendChild(document.createElement('div'));
  const page = () => {
    const router = createMemoryRouter([{ path: '*', element: <ContactPage /> }], {
      initialEntries: ['/contact'],
      hydrationData: {},
    });
    return <RouterProvider router={router} />;
  };
  const storage = sessionStorage.getItem('stoa.draft.contact')!;
  place.innerHTML = renderToString(page());
  expect(sessionStorage.getItem('stoa.draft.contact')).toBe(storage);
  expect(place.textContent).not.toContain(restored);
  render(page(), { container: place, hydrate: true });
  expect(screen.getByText(restored)).toBeTruthy();
  expect(screen.getByLabelText<HTMLTextAreaElement>(/Message/).value).toBe('Kept');
  expect(errors).not.toHaveBeenCalled();
});
