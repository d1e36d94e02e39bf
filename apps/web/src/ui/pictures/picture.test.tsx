import type { Picture as PictureFacts } from '@stoa/contracts';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from '@jest/globals';
import { Picture, PreviewReader } from './picture.tsx';

const facts = (path: string) =>
  ({ path, widths: [320], width: 320, height: 320, color: '#000' }) as PictureFacts;

test('a picture that replaces a failed one is shown', () => {
  const { rerender, container } = render(<Picture picture={facts('gone')} alt="Portrait" sizes="1rem" />);
  fireEvent.error(screen.getByRole('img', { name: 'Portrait' }));
  expect(screen.queryByRole('img', { name: 'Portrait' })).toBeNull();
  rerender(<Picture picture={facts('new')} alt="Portrait" sizes="1rem" />);
  expect(screen.getByRole('img', { name: 'Portrait' }).getAttribute('src')).toContain('new');
  expect(container.querySelectorAll('source')).toHaveLength(1);
});

test('a transparent picture has its own ground, and any other its colour', () => {
  const { container } = render(
    <>
      <Picture picture={{ ...facts('clear'), isTransparent: true }} alt="Logo" sizes="1rem" />
      <Picture picture={facts('photo')} alt="Photo" sizes="1rem" />
    </>,
  );
  const [logo, photo] = container.querySelectorAll('img');
  expect([logo?.style.backgroundColor, logo?.classList.contains('behind-transparent')]).toEqual(['', true]);
  expect(photo?.style.backgroundColor).toBe('rgb(0, 0, 0)');
  expect(photo?.classList.contains('behind-transparent')).toBe(false);
});

test('a picture that its address refuses appears if its owner views it [web-104]', async () => {
  const read = (id: string) => Promise.resolve(id === 'own' ? 'data:image/webp;base64,UklG' : undefined);
  const { container } = render(
    <PreviewReader value={read}>
      <Picture picture={{ ...facts('hidden'), id: 'own' } as PictureFacts} alt="Portrait" sizes="1rem" />
      <Picture picture={{ ...facts('other'), id: 'other' } as PictureFacts} alt="Other" sizes="1rem" />
    </PreviewReader>,
  );
  for (const name of ['Portrait', 'Other']) fireEvent.error(screen.getByRole('img', { name }));
  const shown = await screen.findByRole('img', { name: 'Portrait' });
  expect(shown.getAttribute('src')).toBe('data:image/webp;base64,UklG');
  expect(screen.queryByRole('img', { name: 'Other' })).toBeNull();
  expect(container.querySelectorAll('source')).toHaveLength(0);
});
