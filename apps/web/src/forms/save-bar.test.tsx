import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, jest, test } from '@jest/globals';
import { SaveBar } from './save-bar.tsx';

function show(unsaved: boolean, locked = false) {
  const onDiscard = jest.fn();
  render(
    <SaveBar
      status={null}
      unsaved={unsaved}
      locked={locked}
      onDiscard={onDiscard}
      leave={<a href="/">Cancel</a>}
    >
      <button>Save</button>
    </SaveBar>,
  );
  return onDiscard;
}

test('a form without changes offers no Discard', () => {
  show(false);
  expect(screen.queryByRole('button', { name: 'Discard' })).toBeNull();
  expect(screen.getByRole('link', { name: 'Cancel' })).toBeTruthy();
});

test('unsaved changes are mentioned, and discarded only after a confirmation [web-91]', async () => {
  const onDiscard = show(true);
  expect(screen.getByText('You have unsaved changes.')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Discard' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Keep Editing' }));
  expect(onDiscard).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole('button', { name: 'Discard' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Discard Changes' }));
  expect(onDiscard).toHaveBeenCalledTimes(1);
});

test('Discard is disabled during a save', () => {
  show(true, true);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Discard' }).disabled).toBe(true);
});
