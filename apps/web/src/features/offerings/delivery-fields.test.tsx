import type { DeliveredFile, Offering, OfferingForm, StoredFile } from '@stoa/contracts';
import { limits } from '@stoa/contracts/limits';
import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { queryClient } from '../../api/query-client.ts';
import type { uploadFile } from '../../forms/uploads/upload.ts';
import { fakeApi, type RecordedRequest } from '../../testing/fake-api.ts';
import { makeOffering } from '../../testing/offerings.ts';
import { renderAt } from '../../testing/render.tsx';

const upload = jest.fn<typeof uploadFile>();
jest.unstable_mockModule('../../forms/uploads/upload.ts', () => ({
  uploadFile: upload,
  uploadPicture: jest.fn(),
}));
const { default: EditOfferingPage } = await import('./edit-offering-page.tsx');

const id = '4f9f4a56-8a5a-4a4e-9d5e-0f9f0c3f7a11';
const idOf = (number: number) => `0b7f1f0e-3c07-4c8d-8a53-6a2f5d8b9c2${number}`;
const stored = (number: number, filename: string): DeliveredFile => ({
  id: idOf(number),
  filename,
  size: 120_000,
  contentType: 'application/pdf',
  note: '',
  updatedAt: null,
});
const offering = makeOffering({ id });

beforeEach(() => {
  queryClient.clear();
  upload.mockReset();
  jest.spyOn(console, 'error').mockReturnValue();
});

async function edit(changes: Partial<Offering> = {}): Promise<RecordedRequest[]> {
  const opened = { ...offering, ...changes };
  const asked = fakeApi(() => Response.json(opened));
  renderAt(
    `/dashboard/edit-offering/${id}`,
    <Routes>
      <Route path="/dashboard/edit-offering/:offeringId" element={<EditOfferingPage />} />
    </Routes>,
  );
  await screen.findByLabelText(/^Title/);
  return asked;
}

const button = (name: string) => screen.getByRole('button', { name });
const chosen = (name: string) => new File(['x'.repeat(9)], name, { type: 'application/pdf' });
const input = () => screen.getByLabelText<HTMLInputElement>('Downloadable Files');
const names = () =>
  [...document.querySelectorAll('li')].map((row) => within(row).getAllByText(/\.pdf$/)[0]?.textContent);

/** Pending uploads. The test ends each by calling its name. */
function pendingUploads() {
  const ends = new Map<string, PromiseWithResolvers<StoredFile>>();
  upload.mockImplementation((file, onProgress, signal) => {
    const end = Promise.withResolvers<StoredFile>();
    ends.set(file.name, end);
    onProgress(0.5);
    signal.addEventListener('abort', () => end.reject(new DOMException('', 'AbortError')));
    return end.promise;
  });
  let made = 4;
  return (name: string) => ends.get(name)?.resolve({ ...stored((made += 1), name) });
}

async function save(asked: RecordedRequest[]): Promise<OfferingForm> {
  await userEvent.click(button('Save Changes'));
  await screen.findByText('Offering updated successfully!');
  return asked.find(({ method }) => method === 'PUT')?.body as OfferingForm;
}

test('an edit of another field sends no files, and a stored file has no note field', async () => {
  const asked = await edit({ files: [stored(1, 'one.pdf')] });
  expect(screen.queryByRole('button', { name: 'Move one.pdf up' })).toBeNull();
  expect(screen.queryByLabelText('What is new in this version')).toBeNull();
  await userEvent.type(screen.getByLabelText(/^Title/), '!');
  const sent = await save(asked);
  expect([sent.title, sent.files]).toEqual(['Letters!', undefined]);
});

test('several files are chosen together and uploaded in order, one by one [web-39]', async () => {
  const asked = await edit();
  const end = pendingUploads();
  await userEvent.upload(input(), [chosen('one.pdf'), chosen('two.pdf')]);
  expect(screen.getByRole('progressbar', { name: 'Upload of the file one.pdf' })).toBeTruthy();
  expect(upload).toHaveBeenCalledTimes(1);
  end('one.pdf');
  await screen.findByRole('button', { name: 'Remove file one.pdf' });
  end('two.pdf');
  await screen.findByRole('button', { name: 'Remove file two.pdf' });
  expect((await save(asked)).files).toEqual([
    { id: idOf(5), note: '' },
    { id: idOf(6), note: '' },
  ]);
});

test('buttons reorder files, which is announced, and remove them [web-40]', async () => {
  const asked = await edit({ files: [stored(1, 'one.pdf'), stored(2, 'two.pdf'), stored(3, 'three.pdf')] });
  expect(button('Move one.pdf up').getAttribute('aria-disabled')).toBe('true');
  await userEvent.click(button('Move three.pdf up'));
  expect(names()).toEqual(['one.pdf', 'three.pdf', 'two.pdf']);
  expect(screen.getByText('“three.pdf” is now number 2 of 3.').getAttribute('role')).toBe('status');
  expect(document.activeElement).toBe(button('Move three.pdf up'));
  await userEvent.click(button('Remove file one.pdf'));
  expect(document.activeElement).toBe(input());
  expect((await save(asked)).files?.map((file) => file.id)).toEqual([idOf(3), idOf(2)]);
});

test('a refusal disappears when removing a file makes room', async () => {
  const nine = Array.from({ length: limits.offeringFiles }, (_, index) => stored(index % 10, `${index}.pdf`));
  await edit({ files: nine.map((file, index) => ({ ...file, id: `${file.id.slice(0, -2)}${10 + index}` })) });
  await userEvent.upload(input(), [chosen('more.pdf')]);
  expect(await screen.findByText('There is no room for more files.')).toBeTruthy();
  await userEvent.click(button('Remove file 0.pdf'));
  expect(screen.queryByText('There is no room for more files.')).toBeNull();
});

test('a refusal disappears when another file is cancelled or replaced', async () => {
  await edit({ files: [stored(1, 'one.pdf')] });
  pendingUploads();
  await userEvent.upload(input(), [chosen('two.pdf'), new File([], 'empty.pdf')]);
  expect(await screen.findByText('The file is empty.')).toBeTruthy();
  await userEvent.click(button('Cancel'));
  expect(screen.queryByText('The file is empty.')).toBeNull();
});

test('discarding changes also cancels uploads in progress', async () => {
  await edit({ files: [stored(1, 'one.pdf')] });
  pendingUploads();
  await userEvent.type(screen.getByLabelText(/^Title/), '!');
  await userEvent.upload(input(), [chosen('two.pdf')]);
  await userEvent.click(button('Discard'));
  await userEvent.click(await screen.findByRole('button', { name: 'Discard Changes' }));
  expect(screen.getByLabelText<HTMLInputElement>(/^Title/).value).toBe('Letters');
  expect(screen.queryByRole('progressbar')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Discard' })).toBeNull();
});

test('a new version replaces a file, with a note [web-41]', async () => {
  const asked = await edit({ files: [stored(1, 'one.pdf'), stored(2, 'two.pdf')] });
  const end = pendingUploads();
  fireEvent.change(screen.getByLabelText('Another version of one.pdf'), {
    target: { files: [chosen('better.pdf')] },
  });
  await screen.findByRole('progressbar', { name: 'Upload of the file better.pdf' });
  end('better.pdf');
  await userEvent.type(await screen.findByLabelText('What is new in this version'), 'Fixed page 12');
  expect((await save(asked)).files).toEqual([
    { id: idOf(5), note: 'Fixed page 12', replaces: idOf(1) },
    { id: idOf(2), note: '' },
  ]);
});

test('a failed upload keeps the others, can be retried, and prevents the save', async () => {
  const asked = await edit({ files: [stored(1, 'one.pdf')] });
  upload.mockRejectedValueOnce(new Error('down'));
  await userEvent.upload(input(), chosen('two.pdf'));
  await screen.findByText('The file could not be uploaded. Please try again.');
  await userEvent.click(button('Save Changes'));
  expect(asked.filter(({ method }) => method === 'PUT')).toEqual([]);
  upload.mockResolvedValueOnce(stored(5, 'two.pdf'));
  await userEvent.click(button('Try again'));
  await screen.findByRole('button', { name: 'Remove file two.pdf' });
  expect((await save(asked)).files?.map((file) => file.id)).toEqual([idOf(1), idOf(5)]);
});

test('too many or too large files show an error and are not uploaded', async () => {
  await edit({ files: Array.from({ length: 9 }, (_, at) => stored(at, `${at}.pdf`)) });
  pendingUploads();
  const large = chosen('large.pdf');
  Object.defineProperty(large, 'size', { value: 200 * 1024 * 1024 + 1 });
  await userEvent.upload(input(), large);
  await screen.findByText('The file must not be larger than 200MB.');
  expect(upload).not.toHaveBeenCalled();
  await userEvent.upload(input(), [chosen('nine.pdf'), chosen('ten.pdf')]);
  await screen.findByText('There is room for 1 more file.');
  expect(upload.mock.calls.map(([file]) => file.name)).toEqual(['nine.pdf']);
});

test('a link and a text for buyers are sent, and show the delivery link [web-42]', async () => {
  const asked = await edit();
  expect(screen.queryByLabelText('Delivery link')).toBeNull();
  await userEvent.type(screen.getByLabelText('Link for Buyers'), 'https://course.example.com/in');
  await userEvent.type(screen.getByLabelText('Text for Buyers'), 'The password is swordfish.');
  expect(await save(asked)).toMatchObject({
    deliveryUrl: 'https://course.example.com/in',
    deliveryText: 'The password is swordfish.',
  });
});

test.each([
  ['a file', { files: [stored(1, 'one.pdf')] }],
  ['a link', { deliveryUrl: 'https://course.example.com/in' }],
  ['a text', { deliveryText: 'Hello' }],
])('the delivery link appears if %s is delivered [web-43]', async (_, delivered) => {
  await edit(delivered);
  expect(screen.getByLabelText('Delivery link')).toBeTruthy();
  expect(screen.getByText(/^Paste this link into your payment provider/)).toBeTruthy();
});

test('a shared link that is turned off is not offered for the payment provider', async () => {
  await edit({ deliveryText: 'Hello', sharedLink: false });
  expect(screen.getByText('This link is turned off. Buyers need the link of their own sale.')).toBeTruthy();
  expect(screen.queryByText(/^Paste this link/)).toBeNull();
});
