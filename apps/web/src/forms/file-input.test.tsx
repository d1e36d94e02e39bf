import { render, screen } from '@testing-library/react';
import { expect, test } from '@jest/globals';
import { FileInput } from './file-input.tsx';

// WCAG 2.5.3: who says to the computer what they see reaches what they mean.
test.each([
  ['Choose a file', false],
  ['Choose files', true],
])('an input that shows “%s” has these words in its name, beside what it is for', (words, multiple) => {
  render(<FileInput label="Cover Image" multiple={multiple} />);
  expect(screen.getByText(words)).toBeTruthy();
  expect(screen.getByLabelText(`Cover Image: ${words}`).getAttribute('type')).toBe('file');
});
