import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, jest, test } from '@jest/globals';
import { ShareButton } from './share-button.tsx';

function open({ share, writeText }: { share?: () => Promise<void>; writeText: () => Promise<void> }) {
  const user = userEvent.setup({ writeToClipboard: false });
  const navigator = { userAgent: '', share, clipboard: { writeText } };
  jest.spyOn(globalThis, 'navigator', 'get').mockReturnValue(navigator as unknown as Navigator);
  jest.spyOn(console, 'error').mockReturnValue();
  render(<ShareButton name="Ama" />);
  return () => user.click(screen.getByRole('button'));
}

const status = () => screen.getByRole('status').textContent;
const refused = () => Promise.reject(new DOMException('', 'NotAllowedError'));
const taken = () => Promise.resolve();

test('without a share sheet the link is copied and the button confirms it [web-80]', async () => {
  await open({ writeText: taken })();
  expect(screen.getByRole('button', { name: 'Link copied' })).toBeTruthy();
  expect(status()).toBe('The link to this profile has been copied.');
});

test('a failed share falls back to the clipboard', async () => {
  await open({ share: refused, writeText: taken })();
  expect(status()).toBe('The link to this profile has been copied.');
});

test('a cancelled share shows no message', async () => {
  const writeText = jest.fn(taken);
  await open({ share: () => Promise.reject(new DOMException('', 'AbortError')), writeText })();
  expect(writeText).not.toHaveBeenCalled();
  expect(status()).toBe('');
});

test('if share and clipboard fail, every attempt points to the address bar', async () => {
  const press = open({ share: refused, writeText: refused });
  for (let tried = 0; tried < 2; tried += 1) {
    await press();
    expect(status()).toBe('The link could not be copied. It is the address of this page.');
  }
});
