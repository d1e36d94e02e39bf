import { render, screen } from '@testing-library/react';
import { act, type ComponentType, useSyncExternalStore } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { expect, jest, test } from '@jest/globals';
import { lazyOptional } from './lazy-optional.tsx';

const Words = ({ text }: { text: string }) => <p>{text}</p>;

test('server-rendered content stays when the page changes before its code arrives', async () => {
  let isSignedIn = false;
  let changed = () => undefined as void;
  const subscribe = (listener: () => void) => {
    changed = listener;
    return () => undefined;
  };
  const Page = ({ Part }: { Part: ComponentType<{ text: string }> }) => {
    const signedIn = useSyncExternalStore(
      subscribe,
      () => isSignedIn,
      () => false,
    );
    return (
      <main>
        {signedIn && <b>Log Out</b>}
        <Part text="0 of 5,000 characters" />
      </main>
    );
  };
  // The HTML that the server renders for a loaded part.
  document.body.innerHTML = '<main><!--$--><p>0 of 5,000 characters</p><!--/$--></main>';
  const { promise, resolve } = Promise.withResolvers<typeof Words>();
  const Late = lazyOptional(() => promise);
  const root = await act(() => hydrateRoot(document.body, <Page Part={Late} />));
  isSignedIn = true;
  await act(() => changed());
  expect(document.body.textContent).toBe('Log Out0 of 5,000 characters');
  await act(() => resolve(Words));
  expect(document.body.textContent).toBe('Log Out0 of 5,000 characters');
  await act(() => root.unmount());
});

test('server-rendered content stays if its code fails to load', async () => {
  const warn = jest.spyOn(console, 'warn').mockReturnValue();
  const mismatch = jest.fn();
  const Gone = lazyOptional<{ text: string }>(() => Promise.reject(new Error('the page is being left')));
  document.body.innerHTML = '<!--$--><p>0 of 5,000 characters</p><!--/$-->';
  const root = await act(() =>
    hydrateRoot(document.body, <Gone text="0 of 5,000 characters" />, { onRecoverableError: mismatch }),
  );
  expect(warn).toHaveBeenCalledTimes(1);
  expect(mismatch).not.toHaveBeenCalled();
  expect(document.body.textContent).toBe('0 of 5,000 characters');
  await act(() => root.unmount());
});

test('a part shows its replacement until its code arrives, and keeps it if that fails', async () => {
  jest.spyOn(console, 'warn').mockReturnValue();
  const Plain = ({ text }: { text: string }) => <i>{text}</i>;
  const { promise, resolve } = Promise.withResolvers<typeof Words>();
  const Late = lazyOptional(() => promise, Plain);
  const Gone = lazyOptional(() => Promise.reject(new Error('no network')), Plain);
  await act(() =>
    render(
      <main>
        <Late text="late" />
        <Gone text="gone" />
      </main>,
    ),
  );
  expect(screen.getByText('late').tagName).toBe('I');
  await act(() => resolve(Words));
  expect(screen.getByText('late').tagName).toBe('P');
  expect(screen.getByText('gone').tagName).toBe('I');
});
