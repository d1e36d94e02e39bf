import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, jest, test } from '@jest/globals';
import { ConfirmDialog } from './confirm-dialog.tsx';

test('a double click confirms once, and a failed attempt can be confirmed again', async () => {
  const confirmed = jest.fn();
  const dialog = (busy: boolean) => (
    <ConfirmDialog
      open
      title="Delete it?"
      text="For good."
      confirmLabel="Delete"
      busy={busy}
      onConfirm={confirmed}
      onCancel={jest.fn()}
    />
  );
  const { rerender } = render(dialog(false));
  await userEvent.dblClick(screen.getByRole('button', { name: 'Delete' }));
  expect(confirmed).toHaveBeenCalledTimes(1);

  rerender(dialog(true));
  rerender(dialog(false));
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
  expect(confirmed).toHaveBeenCalledTimes(2);
});
