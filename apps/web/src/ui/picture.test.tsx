import type { Picture as PictureFacts } from '@stoa/contracts';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from '@jest/globals';
import { Picture } from './picture.tsx';

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

test('a transparent picture stands on a ground of its own, and any other on its colour', () => {
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
