import { render } from '@testing-library/react';
import { expect, test } from '@jest/globals';
import { AddressText } from './address-text.tsx';

test.each([
  ['localhost:8080/profile/marta-w3', 'localhost:8080/<wbr>profile/<wbr>marta-w3'],
  ['stoa.example/@marta/', 'stoa.example/<wbr>@marta/'],
  ['stoa.example', 'stoa.example'],
])('%s may break after each slash, and copies unchanged', (text, html) => {
  const { container } = render(<AddressText text={text} />);
  expect(container.innerHTML).toBe(html);
  expect(container.textContent).toBe(text);
});
