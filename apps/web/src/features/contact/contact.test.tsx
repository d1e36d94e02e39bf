import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, jest, test } from '@jest/globals';
import { type RecordedRequest, fakeApi, problem, renderAt } from '../../testing.tsx';
import ContactPage from './contact-page.tsx';

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

test('a double click sends one message, and success clears the form', async () => {
  const asked = fakeApi(({ body }) => Response.json(body, { status: 202 }));
  renderAt('/contact', <ContactPage />);
  await fillIn();
  await userEvent.dblClick(button());

  await screen.findByText(thanks);
  expect(asked).toHaveLength(1);
  expect(screen.getByLabelText<HTMLInputElement>(/Name/).value).toBe('');
});

test('a retry after a failure is the same message, and the next one is another', async () => {
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
])('says after %s seconds to try again %s, and keeps what was typed', async (seconds, when) => {
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
    `${failed} You have sent several messages within the hour. Please try again ${when}.`,
  );
  expect(screen.getByLabelText<HTMLInputElement>(/Message/).value).toBe('A question');
});

test('shows what the server says about a field at that field', async () => {
  jest.spyOn(console, 'error').mockReturnValue();
  fakeApi(() => problem(400, 'invalid_input', [{ field: 'subject', message: 'Must be a single line.' }]));
  renderAt('/contact', <ContactPage />);
  await fillIn();
  await userEvent.click(button());

  await screen.findByText('Must be a single line.');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(/Subject/)));
});
