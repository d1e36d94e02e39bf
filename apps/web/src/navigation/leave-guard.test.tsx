import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useMemo, useState } from 'react';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { Link, Route, Routes, useNavigate } from 'react-router-dom';
import { renderInBrowser } from '../testing/render.tsx';
import { saveDrafts, saveDraftsAndLeave } from '../browser/drafts.ts';
import { LeaveGuard } from './leave-guard.tsx';

const logOut = jest.fn();

function EditorWithUnsavedText() {
  const [text, setText] = useState('');
  const [rows, setRows] = useState(['a']);
  const changes = useMemo(() => [text, rows], [text, rows]);
  return (
    <main>
      <h1>Editor</h1>
      <Link to="/elsewhere">Elsewhere</Link>
      <Link to="/elsewhere#part">A part of it</Link>
      <Link to="/editor">Editor</Link>
      <textarea aria-label="Text" value={text} onChange={({ target }) => setText(target.value)} />
      <button type="button" onClick={() => setRows([])}>
        Remove row
      </button>
      <input type="search" aria-label="Elsewhere in the page" />
      <Link to="#top">Skip</Link>
      <button type="button" data-leaves-page="" onClick={logOut}>
        Log Out
      </button>
      <LeaveGuard active changes={changes} />
    </main>
  );
}

function Start() {
  const navigate = useNavigate();
  return <button onClick={() => void navigate('/editor')}>Write</button>;
}

async function open() {
  renderInBrowser(
    <Routes>
      <Route path="/" element={<Start />} />
      <Route path="/editor" element={<EditorWithUnsavedText />} />
      <Route path="/elsewhere" element={<h1>Elsewhere</h1>} />
    </Routes>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Write' }));
  await screen.findByRole('heading', { name: 'Editor' });
  // The dialog's code loads in the background.
  await import('../ui/overlays/confirm-dialog.tsx');
}

beforeEach(() => history.pushState(null, '', '/'));

const question = () => screen.findByRole('alertdialog', { name: 'Leave without saving?' });
const answer = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

test.each(['Elsewhere', 'A part of it'])('the link %s asks for confirmation', async (name) => {
  await open();
  await userEvent.click(screen.getByRole('link', { name }));
  await question();
  await answer('Stay');
  expect(screen.getByRole('heading', { name: 'Editor' })).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('link', { name })));
  await userEvent.click(screen.getByRole('link', { name }));
  await answer('Leave');
  await screen.findByRole('heading', { name: 'Elsewhere' });
});

test('a change after a confirmed leave asks again', async () => {
  await open();
  await userEvent.click(screen.getByRole('link', { name: 'Editor' }));
  await answer('Leave');
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  await userEvent.type(screen.getByRole('textbox', { name: 'Text' }), 'More');
  await userEvent.click(screen.getByRole('link', { name: 'Elsewhere' }));
  await question();
  await answer('Stay');
  expect(screen.getByRole('heading', { name: 'Editor' })).toBeTruthy();
  const closing = new Event('beforeunload', { cancelable: true });
  dispatchEvent(closing);
  expect(closing.defaultPrevented).toBe(true);
});

test('a change made by a button counts as unsaved', async () => {
  await open();
  await userEvent.click(screen.getByRole('link', { name: 'Editor' }));
  await answer('Leave');
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  await userEvent.click(screen.getByRole('button', { name: 'Remove row' }));
  await userEvent.click(screen.getByRole('link', { name: 'Elsewhere' }));
  await question();
});

test('typing outside the form is not an unsaved change', async () => {
  await open();
  await userEvent.click(screen.getByRole('link', { name: 'Editor' }));
  await answer('Leave');
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  await userEvent.type(screen.getByRole('searchbox'), 'Ada');
  await userEvent.click(screen.getByRole('link', { name: 'Elsewhere' }));
  await screen.findByRole('heading', { name: 'Elsewhere' });
});

test('a link within the page asks no question', async () => {
  await open();
  await userEvent.click(screen.getByRole('link', { name: 'Skip' }));
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

test('the back button asks for confirmation in every browser [web-5]', async () => {
  await open();
  history.back();
  await question();
  await waitFor(() => expect(location.pathname).toBe('/editor'));
  await answer('Stay');
  expect(screen.getByRole('heading', { name: 'Editor' })).toBeTruthy();
  // No element of the page had the focus when the question appeared.
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Editor' })));

  history.back();
  await question();
  await answer('Leave');
  await screen.findByRole('button', { name: 'Write' });
  expect(location.pathname).toBe('/');
});

test('going back from a link within the page keeps unsaved input', async () => {
  renderInBrowser(
    <Routes>
      <Route
        path="/"
        element={
          <>
            <Link to="#part">Part</Link>
            <Start />
          </>
        }
      />
      <Route path="/editor" element={<EditorWithUnsavedText />} />
    </Routes>,
  );
  await userEvent.click(screen.getByRole('link', { name: 'Part' }));
  await waitFor(() => expect(history.state).toMatchObject({ idx: 1 }));
  await userEvent.click(screen.getByRole('link', { name: 'Part' }));
  await userEvent.click(screen.getByRole('button', { name: 'Write' }));
  await screen.findByRole('heading', { name: 'Editor' });
  await import('../ui/overlays/confirm-dialog.tsx');
  await userEvent.click(screen.getByRole('link', { name: 'Skip' }));
  await waitFor(() => expect(history.state).toMatchObject({ idx: 3 }));
  await userEvent.type(screen.getByRole('textbox', { name: 'Text' }), 'More');

  history.back();
  await waitFor(() => expect(location.href).not.toContain('#top'));
  expect(screen.queryByRole('alertdialog')).toBeNull();
  history.back();
  await question();
  await waitFor(() => expect(location.pathname).toBe('/editor'));
  await answer('Stay');
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Text' }).value).toBe('More');
  history.back();
  await answer('Leave');
  await screen.findByRole('button', { name: 'Write' });
  expect(location.href).toMatch(/\/#part$/);
});

test('logging out asks for confirmation, and continues after it', async () => {
  await open();
  await userEvent.click(screen.getByRole('button', { name: 'Log Out' }));
  await question();
  expect(logOut).not.toHaveBeenCalled();
  await answer('Leave');
  expect(logOut).toHaveBeenCalledTimes(1);
});

test('closing the page asks for confirmation', async () => {
  await open();
  const closing = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(closing);
  expect(closing.defaultPrevented).toBe(true);
});

test('saved drafts do not skip the question, but leaving with them does', async () => {
  await open();
  const asks = () => {
    const closing = new Event('beforeunload', { cancelable: true });
    dispatchEvent(closing);
    return closing.defaultPrevented;
  };
  saveDrafts();
  expect(asks()).toBe(true);
  saveDraftsAndLeave();
  expect(asks()).toBe(false);
  // Going back shows the same page again.
  dispatchEvent(new Event('pageshow'));
  expect(asks()).toBe(true);
});
