import type { Picture, PicturePurpose } from '@stoa/contracts';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, jest, test } from '@jest/globals';
import type { PictureSize } from './picture-decoding.ts';
import type { uploadPicture } from '../uploads/upload.ts';

const upload = jest.fn<typeof uploadPicture>();
const measure = jest.fn<(file: File) => Promise<PictureSize | undefined>>();
jest.unstable_mockModule('../uploads/upload.ts', () => ({ uploadPicture: upload }));
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

/** The dialog has its own tests. */
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
const jpeg = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0);
const heic = new TextEncoder().encode('\0\0\0\x18ftypheic\0\0\0\0mif1heic');
const photo = (bytes = 10, type = 'image/jpeg', name = 'photo.jpg', head = jpeg) =>
  new File([head, new Uint8Array(bytes)], name, { type });
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
  // More pixels than the media service accepts.
  ['profile-picture', { width: 7000, height: 7000 }, '1 under 2097152'],
] as const)('a %s of %p is cropped before the upload', async (purpose, size, name) => {
  measure.mockResolvedValue(size);
  render(<Field purpose={purpose} />);
  await choose(photo());
  expect((await dialog()).getAttribute('aria-label')).toBe(name);
  expect(upload).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole('button', { name: 'Use Picture' }));
  await waitFor(() => expect(upload.mock.calls[0]?.[1]).toBe(made));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a picture that is too large opens the cropper, and cancelling refuses it [web-89]', async () => {
  render(<Field purpose="profile-picture" />);
  await choose(photo(tooMany));
  await dialog();
  expect(screen.queryByRole('alert')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Leave' }));
  expect(screen.getByText('Too large.').closest('[role=alert]')).not.toBeNull();
  expect(document.activeElement).toBe(input());
  await choose(photo(tooMany));
  await userEvent.click(await screen.findByRole('button', { name: 'Use Picture' }));
  await waitFor(() => expect(upload.mock.calls[0]?.[1]).toBe(made));
  expect(screen.queryByText('Too large.')).toBeNull();
});

test.each([
  ['a photo', photo(tooMany)],
  ['a file that claims to be a photo', photo(tooMany, 'image/png', 'a.png', new Uint8Array(9))],
])('%s that the browser cannot read is refused for its size', async (_, file) => {
  measure.mockResolvedValue(undefined);
  render(<Field purpose="profile-picture" />);
  await choose(file);
  expect(await screen.findByText('Too large.')).toBeTruthy();
});

test.each([
  ['without type and extension', ''],
  ['with another type', 'image/gif'],
  ['with a misspelt type', 'image/jpg'],
])('a JPEG %s is sent with its real type', async (_, type) => {
  render(<Field purpose="profile-picture" />);
  await choose(photo(10, type, 'photo'));
  await waitFor(() => expect(upload).toHaveBeenCalledTimes(1));
  expect(upload.mock.calls[0]?.[1]).toMatchObject({ name: 'photo', type: 'image/jpeg' });
});

test("other bytes under a picture's name are refused, and text for its type", async () => {
  measure.mockResolvedValue(undefined);
  render(<Field purpose="profile-picture" />);
  await choose(new File(['<svg/>'], 'a.jpg', { type: 'image/jpeg' }));
  expect(await screen.findByText(/^This file is not a picture we can read\. Choose a JPEG/)).toBeTruthy();
  await choose(new File(['hello'], 'a.txt', { type: 'text/plain' }));
  expect(await screen.findByText('Choose a JPEG, PNG, WebP or AVIF picture.')).toBeTruthy();
  expect(upload).not.toHaveBeenCalled();
});

test("HEIC under a JPEG's name is refused as HEIC if the browser cannot read it", async () => {
  measure.mockResolvedValue(undefined);
  render(<Field purpose="profile-picture" />);
  await choose(photo(10, 'image/jpeg', 'heic-called.jpg', heic));
  expect(await screen.findByText(/This browser cannot read HEIC photos\. Choose a JPEG/)).toBeTruthy();
});

test('opening the cropper cancels a waiting save', async () => {
  measure.mockResolvedValue({ width: 800, height: 400 });
  const settled = jest.fn<() => Promise<boolean>>();
  render(<Field purpose="profile-picture" settled={settled as jest.Mock} />);
  await choose(photo());
  expect(await settled()).toBe(false);
});

test('a HEIC photo is cropped if the browser reads it, and refused otherwise', async () => {
  render(<Field purpose="profile-picture" />);
  measure.mockResolvedValueOnce(undefined);
  await choose(photo(10, '', 'IMG_1.HEIC'));
  expect(await screen.findByText(/This browser cannot read HEIC photos\. Choose a JPEG/)).toBeTruthy();
  await choose(photo(10, 'image/heic', 'IMG_1.HEIC'));
  await dialog();
  expect(upload).not.toHaveBeenCalled();
});

test('a picture too large to decode is uploaded, so that the server refuses it', async () => {
  measure.mockResolvedValue({ width: 20_000, height: 20_000 });
  render(<Field purpose="profile-picture" />);
  await choose(photo());
  await waitFor(() => expect(upload).toHaveBeenCalledTimes(1));
});

test('a save waits while a picture is measured', async () => {
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

test('of two files chosen in a row, the last counts', async () => {
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
