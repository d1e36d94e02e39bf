import { render, screen } from '@testing-library/react';
import { expect, test } from '@jest/globals';
import { TextArea, TextField } from './text-field.tsx';

test('typed text follows the direction of its script [web-105]', () => {
  const fields = (text: string) => (
    <>
      <TextField label="Title" value={text} readOnly />
      <TextArea label="Bio" value={text} readOnly />
    </>
  );
  const { rerender } = render(fields('Letters'));
  const direction = () => ['Title', 'Bio'].map((name) => screen.getByRole('textbox', { name }).dir);
  expect(direction()).toEqual(['auto', 'ltr']);
  rerender(fields('أنا شاعر'));
  expect(direction()).toEqual(['auto', 'rtl']);
});
