import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { useForm } from './use-form.ts';

const submit = vi.fn(async (_: { title: string; picture: string }) => undefined);

function FormWithUpload() {
  const form = useForm({
    initial: { title: 'Letters', picture: '' },
    context: 'offeringCreate',
    validate: () => ({}),
    submit,
    waitFor: async () => {
      // As an upload does that ends while the form waits for it.
      await Promise.resolve();
      form.change({ picture: 'uploaded' });
      return true;
    },
  });
  return (
    <form {...form.formProps}>
      <button type="submit">Save</button>
    </form>
  );
}

test('what an upload brought while the form waited for it is sent', async () => {
  render(<FormWithUpload />);
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() => expect(submit).toHaveBeenCalledTimes(1));
  expect(submit).toHaveBeenCalledWith({ title: 'Letters', picture: 'uploaded' });
});
