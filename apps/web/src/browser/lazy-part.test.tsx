import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { leaveEvent } from './lost-code.ts';
import { lazyPart } from './lazy-part.tsx';

beforeEach(() => {
  jest.spyOn(console, 'error').mockReturnValue();
});

const Words = ({ text }: { text: string }) => <p>{text}</p>;
const lost = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));

/** A form with a part whose code fails to load `failures` times. */
function open(failures: number) {
  const load = jest.fn(() =>
    load.mock.calls.length > failures ? Promise.resolve({ default: Words }) : lost(),
  );
  const Part = lazyPart(load, { name: 'The chart', waiting: <i>waiting</i> });
  render(
    <form>
      <label>
        Title <input />
      </label>
      <Part text="A chart" />
    </form>,
  );
  return load;
}

test('a part without its code shows an error in its place, and a retry loads it', async () => {
  open(1);
  expect(screen.getByText('waiting')).toBeTruthy();
  await userEvent.type(screen.getByLabelText('Title'), 'Ink');
  expect((await screen.findByRole('alert')).textContent).toContain('The chart could not be loaded.');
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }));
  expect(await screen.findByText('A chart')).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('Ink');
});

test('a part that failed offline loads automatically once the network returns', async () => {
  const online = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  open(1);
  expect((await screen.findByRole('alert')).textContent).toContain('You are offline.');
  online.mockReturnValue(true);
  await act(async () => void dispatchEvent(new Event('online')));
  expect(await screen.findByText('A chart')).toBeTruthy();
});

test('if the retry fails too, the page reloads with drafts saved', async () => {
  open(9);
  await userEvent.click(await screen.findByRole('button', { name: 'Try Again' }));
  const reload = await screen.findByRole('button', { name: 'Reload Page' });
  let written = false;
  addEventListener(leaveEvent, () => (written = true), { once: true });
  await userEvent.click(reload);
  expect(written).toBe(true);
});

test('loaded code appears in the next place without a wait', async () => {
  const load = jest.fn(async () => ({ default: Words }));
  const Part = lazyPart(load, { name: 'The chart' });
  const { unmount } = render(<Part text="one" />);
  await screen.findByText('one');
  unmount();
  render(<Part text="two" />);
  expect(screen.getByText('two')).toBeTruthy();
  expect(load).toHaveBeenCalledTimes(1);
});
