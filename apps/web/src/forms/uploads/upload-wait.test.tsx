import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, jest, test } from '@jest/globals';
import { sendingOf, UploadWait } from './upload-wait.tsx';
import { useForm } from '../use-form.ts';

const megabyte = 1024 * 1024;
const file = (bytes: number) => Object.defineProperty(new File([], 'a.pdf'), 'size', { value: bytes });

test('shows how much of all files is sent, and the next step', () => {
  const uploading = { step: 'uploading' as const, preview: '' };
  const sending = sendingOf([
    { step: 'idle' },
    { ...uploading, file: file(30 * megabyte), progress: 0.5 },
    { ...uploading, file: file(10 * megabyte), progress: 1 },
    { step: 'failed', file: file(megabyte), preview: '', error: 'No.' },
  ]);
  render(<UploadWait sending={sending} then="publishing" onKeepEditing={() => undefined} />);
  expect(screen.getByText('Uploading 25 MB of 40 MB, then publishing.')).toBeTruthy();
});

test('Keep Editing cancels a waiting save, and nothing is sent', async () => {
  const submit = jest.fn<() => Promise<void>>().mockResolvedValue();
  const upload = Promise.withResolvers<boolean>();
  function Form() {
    const form = useForm({
      initial: { title: '' },
      words: { otherwise: 'Failed.' },
      validate: () => ({}),
      waitFor: () => upload.promise,
      submit,
    });
    return (
      <form {...form.formProps}>
        {form.waiting && (
          <UploadWait
            sending={[{ file: file(megabyte), progress: 0 }]}
            then="saving"
            onKeepEditing={form.keepEditing}
          />
        )}
        <button disabled={form.busy}>Save</button>
      </form>
    );
  }
  render(<Form />);
  const save = screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });
  await userEvent.click(save);
  await userEvent.click(await screen.findByRole('button', { name: 'Keep Editing' }));
  expect(save.disabled).toBe(false);
  expect(screen.queryByRole('button', { name: 'Keep Editing' })).toBeNull();
  upload.resolve(true);
  await upload.promise;
  expect(submit).not.toHaveBeenCalled();
});
