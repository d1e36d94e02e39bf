import type { Picture, PicturePurpose } from '@stoa/contracts';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, jest, test } from '@jest/globals';
import type { PictureSize } from './picture-decoding.ts';
import type { uploadPicture } from './upload.ts';

const upload = jest.fn<typeof uploadPicture>();
const measure = jest.fn<(file: File) => Promise<PictureSize | undefined>>();
jest.unstable_mockModule('./upload.ts', () => ({ uploadPicture: upload }));
jest.unstable_mockModule('./picture-decoding.ts', () => ({
  canMeasure: () => true,
  measurePicture: measure,
}));
jest.unstable_mockModule('./crop-dialog.tsx', () => ({ default: FakeDialog }));
const { PictureField } = await import('./picture-field.tsx');
const { usePicture } = await import('./use-picture.ts');

const made = new File(['small'], 'photo.webp', { type: 'image/webp' });

interface DialogProps {
  ratio: number;
  limitBytes: number;
  onUse: (made: File) => void;
  onCancel: () => void;
  onClosed: () => void;
}

/** The dialog itself has tests of its own. */
function FakeDialog({ ratio, limitBytes, onUse, onCancel, onClosed }: DialogProps) {
  return (
    <div role="dialog" aria-label={`${ratio} under ${limitBytes}`}>
      <button onClick={() => onUse(made)}>Use Picture</button>
      <button
        onClick={() => {
          onCancel();
          onClosed();
        }}
      >
        Leave
      </button>
    </div>
  );
}

function Field({ purpose, settled }: { purpose: PicturePurpose; settled?: jest.Mock }) {
  const chosen = usePicture({ purpose, tooLarge: 'Too large.', onChange: () => {} });
  settled?.mockImplementation(chosen.settled);
  return <PictureField label="Picture" hint="" picture={null} upload={chosen} shape="square" />;
}

const input = () => screen.getByLabelText<HTMLInputElement>('Picture');
const photo = (bytes = 10, type = 'image/jpeg', name = 'photo.jpg') =>
  new File([new Uint8Array(bytes)], name, { type });
const choose = (file: File) => userEvent.upload(input(), file, { applyAccept: false });
const dialog = () => screen.findByRole('dialog');
const tooMany = 2 * 1024 * 1024 + 1;

beforeEach(() => {
  upload.mockReset().mockResolvedValue({} as Picture);
  measure.mockReset().mockResolvedValue({ width: 800, height: 800 });
  URL.createObjectURL = () => 'blob:1';
  URL.revokeObjectURL = () => undefined;
});

test('a picture of the right shape and size is sent as it is', async () => {
  render(<Field purpose="profile-picture" />);
  const file = photo();
  await choose(file);
  await waitFor(() => expect(upload).toHaveBeenCalledTimes(1));
  expect(upload.mock.calls[0]?.[1]).toBe(file);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test.each([
  ['profile-picture', { width: 800, height: 600 }, '1 under 2097152'],
  ['offering-cover', { width: 800, height: 600 }, '1.5 under 5242880'],
  ['profile-header', { width: 1200, height: 800 }, '3 under 5242880'],
  // More pixels than the media service takes.
  ['profile-picture', { width: 7000, height: 7000 }, '1 under 2097152'],
] as const)('a %s of %p is cut before it is sent', async (purpose, size, name) => {
  measure.mockResolvedValue(size);
  render(<Field purpose={purpose} />);
  await choose(photo());
  expect((await dialog()).getAttribute('aria-label')).toBe(name);
  expect(upload).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole('button', { name: 'Use Picture' }));
  await waitFor(() => expect(upload.mock.calls[0]?.[1]).toBe(made));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('one that is too large is refused in the usual words, and can be made smaller', async () => {
  render(<Field purpose="profile-picture" />);
  await choose(photo(tooMany));
  expect((await screen.findByText('Too large.')).closest('[role=alert]')).not.toBeNull();
  expect(upload).not.toHaveBeenCalled();
  await userEvent.click(await screen.findByRole('button', { name: 'Make It Smaller' }));
  await dialog();
  await userEvent.click(screen.getByRole('button', { name: 'Leave' }));
  // As before: nothing is taken, and why.
  expect(screen.getByText('Too large.')).toBeTruthy();
  expect(document.activeElement).toBe(input());
  await userEvent.click(screen.getByRole('button', { name: 'Make It Smaller' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Use Picture' }));
  await waitFor(() => expect(upload.mock.calls[0]?.[1]).toBe(made));
  expect(screen.queryByText('Too large.')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Make It Smaller' })).toBeNull();
});

test('what the browser cannot read is refused for its size alone, without an offer', async () => {
  measure.mockResolvedValue(undefined);
  render(<Field purpose="profile-picture" />);
  await choose(photo(tooMany));
  expect(await screen.findByText('Too large.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Make It Smaller' })).toBeNull();
});

test('a HEIC photo is cut where the browser reads it, and refused with the reason elsewhere', async () => {
  render(<Field purpose="profile-picture" />);
  measure.mockResolvedValueOnce(undefined);
  await choose(photo(10, '', 'IMG_1.HEIC'));
  expect(await screen.findByText(/This browser cannot read HEIC photos\. Choose a JPEG/)).toBeTruthy();
  await choose(photo(10, 'image/heic', 'IMG_1.HEIC'));
  await dialog();
  expect(upload).not.toHaveBeenCalled();
});

test('a picture that no browser would survive is left to the server to refuse', async () => {
  measure.mockResolvedValue({ width: 20_000, height: 20_000 });
  render(<Field purpose="profile-picture" />);
  await choose(photo());
  await waitFor(() => expect(upload).toHaveBeenCalledTimes(1));
});

test('a save waits for a picture that is still measured', async () => {
  const size = Promise.withResolvers<PictureSize>();
  measure.mockReturnValue(size.promise);
  const settled = jest.fn<() => Promise<boolean>>();
  render(<Field purpose="profile-picture" settled={settled as jest.Mock} />);
  await choose(photo());
  upload.mockRejectedValueOnce(new Error('down'));
  jest.spyOn(console, 'error').mockReturnValue();
  const waiting = settled();
  size.resolve({ width: 8, height: 8 });
  expect(await waiting).toBe(false);
});

test('of two that are chosen one after the other the last counts', async () => {
  const first = Promise.withResolvers<PictureSize>();
  measure.mockReturnValueOnce(first.promise);
  render(<Field purpose="profile-picture" />);
  await choose(photo());
  const second = photo(20);
  await choose(second);
  await waitFor(() => expect(upload).toHaveBeenCalledTimes(1));
  first.resolve({ width: 8, height: 4 });
  await first.promise;
  expect(upload.mock.calls.map(([, file]) => file)).toEqual([second]);
  expect(screen.queryByRole('dialog')).toBeNull();
});
