import type { ReviewCase, ReviewCaseList } from '@stoa/contracts';
import { limits } from '@stoa/contracts/limits';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { queryClient } from '../../api/query-client.ts';
import { beginSession, dropSession } from '../../auth/session.ts';
import { saveDraftsAndLeave } from '../../browser/drafts.ts';
import { fakeApi, problem } from '../../testing/fake-api.ts';
import { renderAt } from '../../testing/render.tsx';
import ReviewPage from './review-page.tsx';

beforeEach(() => {
  queryClient.clear();
  sessionStorage.clear();
  dropSession();
});

const typedBefore = 'What you typed before is here again. It is not saved yet.';

const at = '2026-11-20T10:00:00.000Z';
const id = (last: number) => `4f9f4a56-8a5a-4a4e-9d5e-0f9f0c3f7a${last}`;
const reported = {
  id: id(21),
  at,
  kind: 'reported',
  reason: 'fraud',
  text: 'It asks.',
  actor: null,
} as const;
const aCase = (more: Partial<ReviewCase> = {}): ReviewCase => ({
  ...{ id: id(11), creatorId: id(12), username: 'ada', displayName: 'Ada', status: 'open', openedAt: at },
  offering: { id: id(13), slug: 'letters', title: 'Twelve letters' },
  content: { title: 'Twelve letters', text: '€12', links: ['https://pay.example.com/'], picture: null },
  ...{ reports: 1, steps: [reported] },
  ...more,
});
const listOf = (...items: ReviewCase[]): ReviewCaseList => ({
  items,
  nextCursor: null,
  counts: { waiting: items.length, hidden: 3, closed: 0 },
});
const open = () => renderAt('/review', <ReviewPage />);
/** Confirms the dialog too. */
async function hide(): Promise<void> {
  await userEvent.click(await screen.findByRole('button', { name: 'Hide Twelve letters' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Hide It' }));
}

test('a case of a profile shows both of its pictures', async () => {
  const picture = (last: number) => ({
    id: id(last),
    path: `public/${id(last)}`,
    width: 320,
    height: 80,
    widths: [320],
    color: '#aabbcc',
  });
  const content = { title: 'Ada', text: '', links: [], picture: picture(31), header: picture(32) };
  fakeApi(() => Response.json(listOf(aCase({ offering: null, content }))));
  open();
  expect(await screen.findByRole('img', { name: 'What it shows as its picture' })).toBeTruthy();
  expect(screen.getByRole('img', { name: 'What it shows above its name' })).toBeTruthy();
});

test("a case shows its subject, the reports, and the page's content", async () => {
  fakeApi(() => Response.json(listOf(aCase())));
  open();
  const card = await screen.findByRole('article', { name: 'Twelve letters' });
  expect(within(card).getByText('An offering of @ada')).toBeTruthy();
  expect(card.textContent).toContain('A visitor reported it');
  expect(card.textContent).toContain('It asks.');
  expect(card.textContent).toContain('https://pay.example.com/');
  expect(
    within(card)
      .getByRole('link', { name: /^Open the page/ })
      .getAttribute('href'),
  ).toBe('/profile/ada/letters');
  expect(screen.getByRole('link', { name: 'Waiting (1)' }).getAttribute('aria-current')).toBe('page');
  expect(screen.getByRole('link', { name: 'Hidden (3)' })).toBeTruthy();
});

test('hiding sends the reported guideline, unless another is chosen, and the text [web-83]', async () => {
  const asked = fakeApi(({ method }) => Response.json(method === 'GET' ? listOf(aCase()) : aCase()));
  open();
  const card = await screen.findByRole('article');
  await userEvent.type(within(card).getByLabelText('Words to the creator'), 'It asks for passwords.');
  await hide();
  await screen.findByText('It is hidden. Its creator gets the reason.');
  const body = { decision: 'hide', reason: 'fraud', text: 'It asks for passwords.' };
  expect(asked.find(({ method }) => method === 'POST')).toMatchObject({
    path: `/api/review/cases/${id(11)}/decisions`,
    body,
  });
});

test('hiding asks for confirmation, and Cancel sends nothing', async () => {
  const asked = fakeApi(({ method }) => Response.json(method === 'GET' ? listOf(aCase()) : aCase()));
  open();
  const button = await screen.findByRole('button', { name: 'Hide Twelve letters' });
  await userEvent.click(button);
  const question = screen.getByRole('alertdialog', { name: 'Hide “Twelve letters”?' });
  await userEvent.click(within(question).getByRole('button', { name: 'Cancel' }));
  expect(document.activeElement).toBe(button);
  expect(asked.filter(({ method }) => method === 'POST')).toEqual([]);
});

test('choice and text survive a log-in, and no text is cut off', async () => {
  jest.spyOn(console, 'error').mockReturnValue();
  const asked = fakeApi(({ method }) =>
    method === 'GET' ? Response.json(listOf(aCase())) : problem(401, 'unauthenticated'),
  );
  const { unmount } = open();
  const words = () => screen.findByLabelText<HTMLTextAreaElement>('Words to the creator');
  const guideline = () => screen.getByLabelText<HTMLSelectElement>('Guideline');
  await userEvent.type(await words(), 'It asks for passwords.');
  expect(guideline().value).toBe('fraud');
  await userEvent.selectOptions(guideline(), 'misleading');
  await hide();
  await screen.findByText('Your session has ended. Log in again, then decide.');
  saveDraftsAndLeave();
  unmount();
  open();
  expect((await words()).value).toBe('It asks for passwords.');
  expect(guideline().value).toBe('misleading');
  expect(screen.getByText(typedBefore)).toBeTruthy();

  await userEvent.click(await words());
  await userEvent.paste('x'.repeat(limits.reportLength));
  expect((await words()).value.length).toBeGreaterThan(limits.reportLength);
  const tried = asked.length;
  await userEvent.click(screen.getByRole('button', { name: 'Hide Twelve letters' }));
  expect([asked.length, document.activeElement]).toEqual([tried, await words()]);
});

test('a decision that needs a recent log-in offers one, and keeps the text', async () => {
  jest.spyOn(console, 'error').mockReturnValue();
  fakeApi(({ method }) =>
    method === 'GET' ? Response.json(listOf(aCase())) : problem(403, 'fresh_login_required'),
  );
  open();
  await userEvent.type(await screen.findByLabelText('Words to the creator'), 'It asks for passwords.');
  await hide();
  const dialog = await screen.findByRole('alertdialog', { name: 'Log in again to decide' });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Not Now' }));
  expect(screen.getByLabelText<HTMLTextAreaElement>('Words to the creator').value).toBe(
    'It asks for passwords.',
  );
  expect(screen.getByText('Log in again, then decide. What you typed is kept.')).toBeTruthy();
});

test('a pasted megabyte is refused without being counted', async () => {
  fakeApi(() => Response.json(listOf(aCase())));
  open();
  const words = await screen.findByLabelText<HTMLTextAreaElement>('Words to the creator');
  const segment = jest.spyOn(Intl.Segmenter.prototype, 'segment');
  fireEvent.change(words, { target: { value: 'x'.repeat(1_000_000) } });
  expect(words.getAttribute('aria-invalid')).toBe('true');
  expect(segment.mock.calls.filter(([text]) => text.length > 20_000)).toEqual([]);
});

test('another user who logs in next does not see the typed text', async () => {
  fakeApi(() => Response.json(listOf(aCase())));
  const words = () => screen.findByLabelText<HTMLTextAreaElement>('Words to the creator');
  beginSession(id(31));
  const { unmount } = open();
  await userEvent.type(await words(), 'It asks for passwords.');
  saveDraftsAndLeave();
  unmount();
  beginSession(id(32));
  const other = open();
  expect((await words()).value).toBe('');
  expect(screen.queryByText(typedBefore)).toBeNull();
  other.unmount();
  beginSession(id(31));
  open();
  expect((await words()).value).toBe('It asks for passwords.');
});

test('a decided case leaves its queue, even if the queue cannot be read again', async () => {
  jest.spyOn(console, 'error').mockReturnValue();
  let reads = 0;
  fakeApi(({ method }) => {
    if (method !== 'GET') return Response.json(aCase({ status: 'hidden' }));
    return (reads += 1) === 1 ? Response.json(listOf(aCase())) : problem(403, 'forbidden');
  });
  open();
  await hide();
  await waitFor(() => expect(screen.queryByRole('article')).toBeNull());
});

test('a double click decides once', async () => {
  const asked = fakeApi(({ method }) =>
    method === 'GET' ? Response.json(listOf(aCase())) : new Promise<Response>(() => undefined),
  );
  open();
  const dismiss = await screen.findByRole('button', { name: 'Dismiss Twelve letters' });
  await act(async () => dismiss.click());
  await act(async () => dismiss.click());
  expect(asked.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

// The case appears there after the answer.
test.each([0, 2000])(
  'a double click does not decide about the case that moves under the pointer after %d ms',
  async (answerMs) => {
    const waiting = [aCase(), aCase({ id: id(14), offering: null, displayName: 'Bea' })];
    const { promise: held, resolve: answer } = Promise.withResolvers<void>();
    const asked = fakeApi(async ({ method }) => {
      if (method === 'GET') return Response.json(listOf(...waiting));
      await held;
      const [decided = aCase()] = waiting.splice(0, 1);
      return Response.json(decided);
    });
    const now = jest.spyOn(performance, 'now').mockReturnValue(60_000);
    open();
    const first = await screen.findByRole('button', { name: 'Dismiss Twelve letters' });
    await act(async () => first.click());
    now.mockReturnValue(60_000 + answerMs);
    answer();
    await waitFor(() => expect(first.isConnected).toBe(false));
    const decisions = () => asked.filter(({ method }) => method === 'POST').map(({ path }) => path);
    const next = screen.getByRole('button', { name: 'Dismiss Bea' });
    now.mockReturnValue(60_100 + answerMs);
    await act(async () => next.click());
    expect(decisions()).toEqual([`/api/review/cases/${id(11)}/decisions`]);

    now.mockReturnValue(60_500 + answerMs);
    await act(async () => next.click());
    expect(decisions().at(-1)).toBe(`/api/review/cases/${id(14)}/decisions`);
  },
);

test.each([
  ['open', ['Hide', 'Dismiss']],
  ['appealed', ['Restore', 'Keep It Hidden']],
  ['hidden', ['Restore']],
  ['restored', []],
] as const)('a case that is %s offers the decisions %j', async (status, labels) => {
  fakeApi(() => Response.json(listOf(aCase({ status }))));
  open();
  const card = await screen.findByRole('article');
  const buttons = within(card).queryAllByRole('button');
  expect(buttons.map(({ textContent }) => textContent)).toEqual(labels.map((one) => `${one} Twelve letters`));
});

test('a case that another operator has decided shows a message', async () => {
  fakeApi(({ method }) => (method === 'GET' ? Response.json(listOf(aCase())) : problem(409, 'conflict')));
  open();
  await userEvent.click(await screen.findByRole('button', { name: 'Dismiss Twelve letters' }));
  expect(await screen.findByText('Somebody else has decided about this meanwhile.')).toBeTruthy();
});

test('a refused text is marked with its error until it changes', async () => {
  const message = 'This text is too long.';
  fakeApi(({ method }) =>
    method === 'GET'
      ? Response.json(listOf(aCase()))
      : problem(400, 'invalid_input', [{ field: 'text', message }]),
  );
  open();
  const card = await screen.findByRole('article');
  await hide();
  await within(card).findByText('The decision was not saved. Please change what is marked.');
  const refused = { name: 'Words to the creator', description: new RegExp(message) };
  const textarea = within(card).getByRole('textbox', refused);
  expect(document.activeElement).toBe(textarea);
  await userEvent.type(textarea, 'x');
  expect(within(card).queryByText(message)).toBeNull();
  expect(within(card).queryByText(/^The decision was not saved/)).toBeNull();
});

test('a case with more reports than are stored shows their number [web-84]', async () => {
  fakeApi(() => Response.json(listOf(aCase({ reports: 312 }))));
  open();
  const card = await screen.findByRole('article');
  expect(within(card).getByText('312 reports, of which the first 1 are shown.')).toBeTruthy();
});

test('Show more loads further cases, and its failure keeps the loaded ones [web-85]', async () => {
  const [first, second] = [aCase(), aCase({ id: id(14), offering: null, displayName: 'Bea' })];
  let answers = 0;
  const asked = fakeApi(({ query }) => {
    if (!query.has('cursor')) return Response.json({ ...listOf(first), nextCursor: 'next' });
    return (answers += 1) === 1 ? problem(400, 'invalid_input') : Response.json(listOf(second));
  });
  open();
  const more = await screen.findByRole('button', { name: 'Show more' });
  await userEvent.click(more);
  expect((await screen.findByText('Failed to load the reports.')).closest('[role=alert]')).toBeTruthy();
  expect(screen.getByRole('article', { name: 'Twelve letters' })).toBeTruthy();
  await userEvent.click(more);
  expect(await screen.findByRole('article', { name: 'Bea' })).toBeTruthy();
  expect(screen.getByRole('article', { name: 'Twelve letters' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  expect(asked.at(-1)?.query.get('cursor')).toBe('next');
});

test('an empty queue shows a message', async () => {
  fakeApi(() => Response.json(listOf()));
  open();
  expect(await screen.findByText('Nothing waits for a decision.')).toBeTruthy();
});

test('without the operator role the page explains who can use it', async () => {
  fakeApi(() => problem(403, 'forbidden'));
  open();
  expect(await screen.findByText('This room is for the people who look at reports.')).toBeTruthy();
  expect(screen.queryByRole('navigation', { name: 'Queues' })).toBeNull();
});
