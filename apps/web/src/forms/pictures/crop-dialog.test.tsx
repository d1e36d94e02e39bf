import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, jest, test } from '@jest/globals';
import type { decodePicture } from './picture-decoding.ts';
import type { encodeCrop } from './picture-encoding.ts';

const decode = jest.fn<typeof decodePicture>();
const encode = jest.fn<typeof encodeCrop>();
jest.unstable_mockModule('./picture-decoding.ts', () => ({ decodePicture: decode }));
jest.unstable_mockModule('./picture-encoding.ts', () => ({
  encodeCrop: encode,
  addressOf: () => Promise.resolve('blob:picture'),
  fileOf: (blob: Blob) => new File([blob], 'photo.webp', { type: blob.type }),
}));
const { default: CropDialog } = await import('./crop-dialog.tsx');

const close = jest.fn();
const photo = new File(['x'], 'photo.jpg', { type: 'image/jpeg' });
const zoom = () => screen.getByRole<HTMLInputElement>('slider', { name: 'Zoom' });
const use = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Use Picture' });

beforeEach(() => {
  jest.spyOn(console, 'error').mockReturnValue();
  URL.revokeObjectURL = () => undefined;
  decode.mockReset().mockResolvedValue({ width: 400, height: 200, close } as unknown as ImageBitmap);
  encode.mockReset().mockResolvedValue(new Blob(['y'], { type: 'image/webp' }));
  // jsdom has no layout.
  for (const [name, size] of Object.entries({
    naturalWidth: 400,
    naturalHeight: 200,
    offsetWidth: 400,
    offsetHeight: 200,
  }))
    Object.defineProperty(HTMLImageElement.prototype, name, { configurable: true, value: size });
  jest
    .spyOn(Element.prototype, 'getBoundingClientRect')
    .mockReturnValue({ ...{ x: 0, y: 0, left: 0, top: 0 }, width: 400, height: 200 } as DOMRect);
  Object.assign(globalThis, {
    ResizeObserver: class {
      observe() {}
      disconnect() {}
    },
  });
});

function open() {
  const told = { onUse: jest.fn<(made: File) => void>(), onCancel: jest.fn(), onClosed: jest.fn() };
  const size = { width: 4000, height: 2000 };
  const { unmount } = render(
    <CropDialog
      file={photo}
      size={size}
      ratio={1}
      isFace
      limitBytes={2_000_000}
      tooLarge={undefined}
      {...told}
    />,
  );
  return { ...told, unmount };
}

async function loaded() {
  await screen.findByRole('slider', { name: 'Zoom' });
  fireEvent.load(document.querySelector('dialog img')!);
  await waitFor(() => expect(use().disabled).toBe(false));
}

test('the visible part is encoded under the limit and passed on', async () => {
  const { onUse } = open();
  expect(screen.getByRole('dialog', { name: 'Crop Your Picture' })).toBeTruthy();
  expect(use().disabled).toBe(true);
  await loaded();
  await userEvent.click(use());
  await waitFor(() => expect(onUse).toHaveBeenCalledTimes(1));
  expect(onUse.mock.calls[0]?.[0].name).toBe('photo.webp');
  const [, area, limit] = encode.mock.calls[0]!;
  expect(limit).toBe(2_000_000);
  // The middle, in full height.
  expect(area).toMatchObject({ x: 100, y: 0, width: 200, height: 200 });
});

test('plus and minus zoom, within bounds, and arrows move the picture [web-87]', async () => {
  const { onUse } = open();
  await loaded();
  const box = screen.getByRole('application', { name: 'What is shown of the picture' });
  box.focus();
  await userEvent.keyboard('-');
  expect(zoom().value).toBe('1');
  await userEvent.keyboard('+++++');
  expect(zoom().value).toBe('1.5');
  await userEvent.keyboard('{ArrowRight}{ArrowRight}');
  fireEvent.keyUp(box, { key: 'ArrowRight' });
  await userEvent.click(use());
  await waitFor(() => expect(onUse).toHaveBeenCalledTimes(1));
  const [, area] = encode.mock.calls[0]!;
  expect(area.width).toBeLessThan(200);
  // Moving the picture to the right shows more of its left.
  expect(area.x + area.width / 2).toBeLessThan(200);
});

test('the slider zooms', async () => {
  open();
  await loaded();
  fireEvent.change(zoom(), { target: { value: '2' } });
  expect(zoom().getAttribute('aria-valuetext')).toBe('200 %');
});

test('Escape and Cancel change nothing', async () => {
  const { onUse, onCancel } = open();
  await loaded();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  // Escape closes a dialog by this event, which jsdom does not send.
  fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
  expect(onCancel).toHaveBeenCalledTimes(2);
  expect(onUse).not.toHaveBeenCalled();
});

test('an unreadable picture shows an explanation', async () => {
  decode.mockRejectedValueOnce(new Error('out of memory'));
  open();
  expect(await screen.findByText(/could not open the picture/)).toBeTruthy();
  expect(use().disabled).toBe(true);
});

test('a failed encoding can be retried', async () => {
  encode.mockRejectedValueOnce(new Error('no canvas'));
  const { onUse } = open();
  await loaded();
  await userEvent.click(use());
  expect((await screen.findByText(/could not be made smaller/)).closest('[role=alert]')).not.toBeNull();
  await userEvent.click(use());
  await waitFor(() => expect(onUse).toHaveBeenCalledTimes(1));
});

test('closing the dialog frees the memory of the picture', async () => {
  const { unmount, onClosed } = open();
  await loaded();
  close.mockClear();
  unmount();
  expect(close).toHaveBeenCalledTimes(1);
  await waitFor(() => expect(onClosed).toHaveBeenCalledTimes(1));
});
