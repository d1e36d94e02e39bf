import { render, screen } from '@testing-library/react';
import { expect, test } from '@jest/globals';
import { FormattedText } from './formatted-text.tsx';

test('paragraphs, lists, emphasis and links are marked up [web-100]', () => {
  render(<FormattedText text={'Read **this**.\n\n- one\n- *two*\n\nMore at https://example.com/x.'} />);
  expect(screen.getByText('this').tagName).toBe('STRONG');
  expect(screen.getByText('two').tagName).toBe('EM');
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['one', 'two']);
  const link = screen.getByRole('link', { name: 'https://example.com/x' });
  expect(link.getAttribute('href')).toBe('https://example.com/x');
  expect(link.getAttribute('rel')).toContain('nofollow');
});

test('nested marks, numbered lists and line breaks are shown', () => {
  const { container } = render(<FormattedText text={'**a *b* c**\nline\n\n3. three\n4. four'} />);
  expect(container.querySelector('strong em')?.textContent).toBe('b');
  expect(container.querySelector('p')?.textContent).toBe('a b c\nline');
  expect(screen.getByRole<HTMLOListElement>('list').start).toBe(3);
});

test('the language of the text is marked if it is certain [web-101]', () => {
  const { container } = render(<FormattedText text={'東京で作っています\n\n- 本'} />);
  expect(container.querySelector('p')?.lang).toBe('ja');
  expect(container.querySelector('ul')?.lang).toBe('ja');
});

test('markup in user text is shown as text [web-102]', () => {
  const { container } = render(<FormattedText text={'<img src=x onerror=alert(1)> javascript:alert(1)'} />);
  expect(container.querySelectorAll('img, a')).toHaveLength(0);
  expect(container.textContent).toContain('<img src=x');
});

test('text follows the direction of its script', () => {
  render(<FormattedText text={'كتاب'} />);
  expect(screen.getByText('كتاب').getAttribute('dir')).toBe('auto');
});
