import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { BrowserRouter, Link, useLocation } from 'react-router-dom';
import { beforeEach, expect, jest, test } from '@jest/globals';
import type * as Scroll from './scroll-restoration.tsx';
import { renderAt } from '../testing.tsx';

const entry = 'default /browse';
let copies = 0;
let height = 0;
let grown: () => void;

function place(): unknown {
  dispatchEvent(new Event('pagehide'));
  const kept = JSON.parse(sessionStorage.getItem('stoa.scroll') ?? '[]') as [string, number][];
  return new Map(kept).get(entry);
}

function grow(to: number): void {
  height = to;
  grown();
}

/** A page cannot be scrolled further than it is long. */
function scroll(top: number): void {
  const reached = Math.min(top, height);
  if (reached === scrollY) return;
  Object.assign(globalThis, { scrollY: reached });
  dispatchEvent(new Event('scroll'));
}

/** Another copy of the module, which remembers nothing. */
async function freshModule(): Promise<() => ReactNode> {
  const copy: string = `../browser/scroll-restoration.tsx?${(copies += 1)}`;
  return ((await import(copy)) as typeof Scroll).ScrollRestoration;
}

/** The page is opened anew, as long as its first part, and was left at 8000. */
async function reload(): Promise<void> {
  sessionStorage.setItem('stoa.scroll', JSON.stringify([[entry, 8_000]]));
  const ScrollRestoration = await freshModule();
  height = 900;
  renderAt('/browse', <ScrollRestoration />);
}

beforeEach(() => {
  Object.assign(globalThis, {
    scrollY: 0,
    scrollTo: ({ top }: { top: number }) => scroll(top),
    ResizeObserver: class {
      constructor(private readonly callback: () => void) {
        grown = callback;
      }
      observe() {}
      disconnect() {
        if (grown === this.callback) grown = () => {};
      }
    },
  });
  Object.assign(performance, { getEntriesByType: () => [{ type: 'reload' }] });
});

test('the scroll position is kept while the list grows towards it', async () => {
  await reload();
  expect(scrollY).toBe(900);
  expect(place()).toBe(8_000);
  grow(4_000);
  expect(scrollY).toBe(4_000);
  expect(place()).toBe(8_000);
});

test('once restored, further scrolling is remembered', async () => {
  await reload();
  grow(9_000);
  expect(scrollY).toBe(8_000);
  dispatchEvent(new Event('wheel'));
  scroll(8_500);
  expect(place()).toBe(8_500);
});

test.each(['wheel', 'pointerdown', 'keydown'])('scrolling by %s cancels the restoration', async (gesture) => {
  await reload();
  dispatchEvent(new Event(gesture));
  scroll(300);
  grow(9_000);
  expect(scrollY).toBe(300);
  expect(place()).toBe(300);
});

function Address() {
  const { hash } = useLocation();
  return <p>At {hash || 'the page'}</p>;
}

test('back from a fragment link restores the scroll position', async () => {
  sessionStorage.clear();
  const ScrollRestoration = await freshModule();
  history.replaceState(null, '', '/');
  height = 5_000;
  render(
    <BrowserRouter>
      <ScrollRestoration />
      <Address />
      <a href="#part">Part</a>
    </BrowserRouter>,
  );
  for (const left of [0, 120]) {
    dispatchEvent(new Event('wheel'));
    scroll(left);
    await userEvent.click(screen.getByRole('link', { name: 'Part' }));
    await screen.findByText('At #part');
    // What the browser does of itself.
    scroll(700);
    history.back();
    await screen.findByText('At the page');
    expect(scrollY).toBe(left);
  }
});

test('a filter that drops the fragment keeps the scroll position', async () => {
  const ScrollRestoration = await freshModule();
  history.replaceState(null, '', '/#part');
  height = 5_000;
  render(
    <BrowserRouter>
      <ScrollRestoration />
      <Address />
      <Link to="?niche=Poet">Poets</Link>
      <Link to="/about">About</Link>
    </BrowserRouter>,
  );
  scroll(700);
  await userEvent.click(screen.getByRole('link', { name: 'Poets' }));
  await screen.findByText('At the page');
  expect(scrollY).toBe(700);
  await userEvent.click(screen.getByRole('link', { name: 'About' }));
  expect(scrollY).toBe(0);
});

test('the restoration times out when the page stays short', async () => {
  jest.useFakeTimers({ doNotFake: ['performance'] });
  await reload();
  jest.runAllTimers();
  jest.useRealTimers();
  scroll(500);
  expect(place()).toBe(500);
});
