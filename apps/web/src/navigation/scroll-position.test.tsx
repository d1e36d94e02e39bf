import { act, cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Link, useLocation, useSearchParams } from 'react-router-dom';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { renderInBrowser } from '../testing/render.tsx';
import { identifyHistoryEntry, ScrollRestoration } from './scroll-position.tsx';

let height = 0;
let grown: () => void;

function grow(to: number): void {
  height = to;
  grown();
}

/** Scrolls as far as the page's height allows. */
function scroll(top: number): void {
  Object.assign(globalThis, { scrollY: Math.min(top, height) });
}

function Page() {
  const { pathname, hash } = useLocation();
  const [, setParams] = useSearchParams();
  return (
    <>
      <ScrollRestoration />
      <p>At {pathname + hash}</p>
      <Link to="#part">Part</Link>
      <Link to="/about">About</Link>
      <button onClick={() => setParams({ niche: 'Poet' }, { preventScrollReset: true })}>Poets</button>
      <h2 id="part">Part</h2>
    </>
  );
}

/** Reloads a page that was left at 8000 and now shows only its first part. */
function reload(): void {
  sessionStorage.setItem('stoa.scroll-positions', JSON.stringify({ before: 8_000 }));
  history.replaceState({ key: 'before' }, '', '/browse');
  height = 900;
  renderInBrowser(<Page />);
}

beforeEach(() => {
  sessionStorage.clear();
  history.pushState(null, '', '/');
  Object.assign(globalThis, {
    scrollY: 0,
    scrollTo: (to: number | ScrollToOptions, top = 0) => scroll(typeof to === 'number' ? top : (to.top ?? 0)),
    ResizeObserver: class {
      constructor(private readonly callback: () => void) {
        grown = callback;
      }
      observe() {
        this.callback();
      }
      disconnect() {
        if (grown === this.callback) grown = () => {};
      }
    },
  });
  // Scrolls as the browser does when it goes to a fragment.
  Element.prototype.scrollIntoView = () => scroll(700);
});

test('a reload restores the scroll position while the list grows', () => {
  reload();
  expect(scrollY).toBe(900);
  grow(4_000);
  expect(scrollY).toBe(4_000);
  grow(9_000);
  expect(scrollY).toBe(8_000);
});

test.each(['wheel', 'pointerdown', 'keydown'])('scrolling by %s ends the restoration', (gesture) => {
  reload();
  dispatchEvent(new Event(gesture));
  scroll(300);
  grow(9_000);
  expect(scrollY).toBe(300);
});

test('leaving the page removes the listeners of the restoration', () => {
  const gestures = ['wheel', 'pointerdown', 'keydown'];
  const ofGestures = (calls: readonly (readonly unknown[])[]) =>
    calls.filter(([type]) => gestures.includes(String(type))).map(([type, listener]) => ({ type, listener }));
  const added = jest.spyOn(globalThis, 'addEventListener');
  const removed = jest.spyOn(globalThis, 'removeEventListener');
  reload();
  cleanup();
  expect(ofGestures(added.mock.calls)).toHaveLength(gestures.length);
  expect(ofGestures(removed.mock.calls)).toEqual(ofGestures(added.mock.calls));
  added.mockRestore();
  removed.mockRestore();
});

test('the restoration times out on a page that stays short', () => {
  jest.useFakeTimers({ doNotFake: ['performance'] });
  reload();
  act(() => void jest.runAllTimers());
  jest.useRealTimers();
  scroll(500);
  grow(9_000);
  expect(scrollY).toBe(500);
});

test("going back after a later page's reload restores the position while the list grows", async () => {
  sessionStorage.setItem('stoa.scroll-positions', JSON.stringify({ list: 8_000, later: 0 }));
  history.replaceState({ key: 'list' }, '', '/browse');
  history.pushState({ key: 'later' }, '', '/about');
  height = 900;
  renderInBrowser(<Page />);
  history.back();
  await screen.findByText('At /browse');
  grow(9_000);
  expect(scrollY).toBe(8_000);

  // A position that the router has remembered since takes precedence.
  scroll(150);
  await userEvent.click(screen.getByRole('link', { name: 'About' }));
  await screen.findByText('At /about');
  history.back();
  await screen.findByText('At /browse');
  expect(scrollY).toBe(150);
});

test('a new visit starts at the top', () => {
  sessionStorage.setItem('stoa.scroll-positions', JSON.stringify({ default: 8_000, undefined: 8_000 }));
  identifyHistoryEntry();
  height = 9_000;
  renderInBrowser(<Page />);
  expect(scrollY).toBe(0);
});

test('going back from a fragment restores the scroll position', async () => {
  height = 5_000;
  renderInBrowser(<Page />);
  for (const left of [0, 120]) {
    scroll(left);
    await userEvent.click(screen.getByRole('link', { name: 'Part' }));
    await screen.findByText('At /#part');
    expect(scrollY).toBe(700);
    history.back();
    await screen.findByText('At /');
    expect(scrollY).toBe(left);
  }
});

test('a filter keeps the scroll position, and another page starts at the top', async () => {
  height = 5_000;
  renderInBrowser(<Page />);
  scroll(400);
  await userEvent.click(screen.getByRole('button', { name: 'Poets' }));
  expect(location.search).toBe('?niche=Poet');
  expect(scrollY).toBe(400);
  await userEvent.click(screen.getByRole('link', { name: 'About' }));
  await screen.findByText('At /about');
  expect(scrollY).toBe(0);
});
