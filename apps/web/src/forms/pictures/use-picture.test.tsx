import type { Picture } from '@stoa/contracts';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { ApiError } from '../../api/http.ts';
import type { uploadPicture } from '../uploads/upload.ts';

const upload = jest.fn<typeof uploadPicture>();
jest.unstable_mockModule('../uploads/upload.ts', () => ({ uploadPicture: upload }));
const { PictureField } = await import('./picture-field.tsx');
const { usePicture } = await import('./use-picture.ts');

const live = new Set<string>();
const settled = jest.fn<() => Promise<boolean>>();

beforeEach(() => {
  live.clear();
  upload.mockReset();
  let made = 0;
  URL.createObjectURL = () => {
    const url = `blob:${(made += 1)}`;
    live.add(url);
    return url;
  };
  URL.revokeObjectURL = (url) => live.delete(url);
  jest.spyOn(console, 'error').mockReturnValue();
});

interface FieldProps {
  onChange?: () => void;
  picture?: Picture | null;
  error?: string;
}

function Field({ onChange = () => {}, picture = null, error }: FieldProps) {
  const chosen = usePicture({ purpose: 'profile-picture', tooLarge: 'Too large.', onChange });
  settled.mockImplementation(chosen.settled);
  return (
    <form>
      <PictureField
        label="Picture"
        hint=""
        error={error}
        picture={picture}
        upload={chosen}
        shape="square"
        removeLabel="Remove picture"
      />
    </form>
  );
}

const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const file = (name: string) => new File([png], name, { type: 'image/png' });
const input = () => screen.getByLabelText<HTMLInputElement>('Picture');
const choose = (name = 'a.png') => userEvent.upload(input(), file(name));
const button = (name: string) => screen.findByRole('button', { name });

/** A pending upload, which ends when the test ends it or when it is aborted. */
function pending() {
  const end = Promise.withResolvers<Picture>();
  upload.mockImplementationOnce((_purpose, _file, onProgress, signal) => {
    onProgress(0.5);
    signal.addEventListener('abort', () => end.reject(new DOMException('', 'AbortError')));
    return end.promise;
  });
  return end;
}

test('a cancelled upload revokes its preview, and the focus stays in the field', async () => {
  pending();
  render(<Field />);
  await choose();
  expect(live.size).toBe(1);
  await userEvent.click(await button('Cancel'));
  expect(live.size).toBe(0);
  expect(document.activeElement).toBe(input());
});

test('a retried, a replaced and an unmounted upload revoke their previews', async () => {
  upload.mockRejectedValueOnce(new ApiError('unreachable', 'no answer'));
  const { unmount } = render(<Field />);
  await choose();
  await screen.findByText('The picture could not be uploaded. Please try again.');
  expect(live.size).toBe(1);

  pending();
  await userEvent.click(await button('Try again'));
  expect(live.size).toBe(1);
  expect(document.activeElement).toBe(input());

  pending();
  await choose('b.png');
  expect(live.size).toBe(1);
  unmount();
  expect(live.size).toBe(0);
});

test('a finished upload revokes its preview', async () => {
  const end = pending();
  const onChange = jest.fn();
  render(<Field onChange={onChange} />);
  await choose();
  end.resolve({ id: '1', path: 'p', widths: [1], width: 1, height: 1 } as unknown as Picture);
  await waitFor(() => expect(onChange).toHaveBeenCalledTimes(1));
  await waitFor(() => expect(live.size).toBe(0));
});

test('cancelling an upload cancels the save that waits for it', async () => {
  pending();
  render(<Field />);
  await choose();
  await button('Cancel');
  const waiting = settled();
  await userEvent.click(await button('Cancel'));
  expect(await waiting).toBe(false);
  // The next save continues without the upload.
  expect(await settled()).toBe(true);
});

test('waiting for an upload includes the one that replaced it', async () => {
  pending();
  render(<Field />);
  await choose();
  let answer: boolean | undefined;
  const waiting = settled().then((value) => (answer = value));
  upload.mockRejectedValueOnce(new ApiError('unreachable', 'no answer'));
  await choose('b.png');
  await waiting;
  expect(answer).toBe(false);
});

test('a file dropped beside the field does not replace the page', () => {
  render(<Field />);
  const dragged = { dataTransfer: { files: [file('dropped.png')], types: ['Files'] } };
  const over = fireEvent.dragOver(document.body, dragged);
  const drop = fireEvent.drop(document.body, dragged);
  expect([over, drop]).toEqual([false, false]);
});

test('dragged text and links are left to the browser', () => {
  render(<Field />);
  const dragged = { dataTransfer: { files: [], types: ['text/uri-list', 'text/plain'] } };
  for (const place of [document.body, input()]) {
    expect([fireEvent.dragOver(place, dragged), fireEvent.drop(place, dragged)]).toEqual([true, true]);
  }
});

test('an error is cleared by the next choice', async () => {
  upload.mockRejectedValueOnce(new ApiError('unreachable', 'no answer'));
  render(<Field />);
  await choose();
  await screen.findByText('The picture could not be uploaded. Please try again.');
  await userEvent.upload(input(), new File(['x'], 'a.gif', { type: 'image/gif' }), { applyAccept: false });
  await screen.findByText('Choose a JPEG, PNG, WebP or AVIF picture.');
  pending();
  await userEvent.click(await button('Try again'));
  await screen.findByRole('progressbar', { name: 'Upload' });
  expect(screen.queryByText('Choose a JPEG, PNG, WebP or AVIF picture.')).toBeNull();
  expect(input().getAttribute('aria-invalid')).toBe('false');
});

test('the file dialog offers supported types only', () => {
  render(<Field />);
  expect(input().accept).toBe('image/jpeg,image/png,image/webp,image/avif');
});

test('the accessible name contains the visible words, for voice control', () => {
  render(<Field />);
  const named = input().getAttribute('aria-labelledby')?.split(' ') ?? [];
  const words = named.map((id) => document.getElementById(id)?.textContent?.trim());
  expect(words).toEqual(['Picture', 'Choose a file']);
});

test('a rate limited upload shows when to retry', async () => {
  upload.mockRejectedValueOnce(new ApiError('rate_limited', 'Too many unfinished uploads.'));
  render(<Field />);
  await choose();
  expect(
    await screen.findByText(/several pictures that are not saved yet\. Please try again in a few minutes\./),
  ).toBeTruthy();
});

test('a file dropped into the field is uploaded', async () => {
  pending();
  render(<Field />);
  fireEvent.drop(screen.getByText('Picture'), {
    dataTransfer: { files: [file('dropped.png')], types: ['Files'] },
  });
  fireEvent.drop(input(), { dataTransfer: { files: [file('dropped.png')], types: ['Files'] } });
  await screen.findByRole('progressbar', { name: 'Upload' });
});

test.each([
  ['unsupported_picture', 'This picture has too many pixels. Choose one of at most 40 megapixels.'],
  ['too_large', 'Profile picture must be smaller than 2MB.'],
] as const)(
  'an error of the server about the picture appears at its field: %s [web-93]',
  async (reason, detail) => {
    upload.mockRejectedValueOnce(new ApiError(reason, detail));
    render(<Field />);
    await choose();
    expect((await screen.findByText(detail)).closest('[role="alert"]')).not.toBeNull();
    expect(input().getAttribute('aria-invalid')).toBe('true');
    expect(
      document.getElementById(input().getAttribute('aria-describedby')?.split(' ')[1] ?? '')?.textContent,
    ).toBe(detail);
  },
);

test('the detail of an internal error is not shown', async () => {
  upload.mockRejectedValueOnce(new ApiError('internal', 'the pool is exhausted'));
  render(<Field />);
  await choose();
  expect(await screen.findByText('The picture could not be uploaded. Please try again.')).toBeTruthy();
});

test('a missing picture is not an error during an upload [web-94]', async () => {
  const missing = 'Please select a cover image.';
  const way = pending();
  render(<Field error={missing} />);
  expect(screen.getByText(missing)).toBeTruthy();
  await choose();
  await waitFor(() => expect(screen.queryByText(missing)).toBeNull());
  way.reject(new ApiError('unreachable', 'no answer'));
  await button('Try again');
});
