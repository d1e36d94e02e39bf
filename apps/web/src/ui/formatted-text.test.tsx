import { render, screen } from '@testing-library/react';
import { expect, test } from '@jest/globals';
import { FormattedText } from './formatted-text.tsx';

test('paragraphs, lists, stresses and links are marked up', () => {
  render(<FormattedText text={'Read **this**.\n\n- one\n- *two*\n\nMore at https://example.com/x.'} />);
  expect(screen.getByText('this').tagName).toBe('STRONG');
  expect(screen.getByText('two').tagName).toBe('EM');
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['one', 'two']);
  const link = screen.getByRole('link', { name: 'https://example.com/x' });
  expect(link.getAttribute('href')).toBe('https://example.com/x');
  expect(link.getAttribute('rel')).toContain('nofollow');
});

test('marks within marks, numbered lists and lines are shown', () => {
  const { container } = render(<FormattedText text={'**a *b* c**\nline\n\n3. three\n4. four'} />);
  expect(container.querySelector('strong em')?.textContent).toBe('b');
  expect(container.querySelector('p')?.textContent).toBe('a b c\nline');
  expect(screen.getByRole<HTMLOListElement>('list').start).toBe(3);
});

test('the language of the words is said where it is certain', () => {
  const { container } = render(<FormattedText text={'東京で作っています\n\n- 本'} />);
  expect(container.querySelector('p')?.lang).toBe('ja');
  expect(container.querySelector('ul')?.lang).toBe('ja');
});

test('markup of others is text', () => {
  const { container } = render(<FormattedText text={'<img src=x onerror=alert(1)> javascript:alert(1)'} />);
  expect(container.querySelectorAll('img, a')).toHaveLength(0);
  expect(container.textContent).toContain('<img src=x');
});

test('words run in the direction of their script', () => {
  render(<FormattedText text={'كتاب'} />);
  expect(screen.getByText('كتاب').getAttribute('dir')).toBe('auto');
});
