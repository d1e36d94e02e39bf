import { completeSocialLink } from '@stoa/contracts/typed-links';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from '@jest/globals';
import { LinkField } from './link-field.tsx';

function Field({ complete }: { complete?: (typed: string) => string }) {
  const [value, setValue] = useState('');
  return <LinkField label="Link" value={value} onType={setValue} complete={complete} />;
}

const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Link' });

test.each([
  ['letters.example.org/marta', 'https://letters.example.org/marta'],
  ['https://example.com/a b', 'https://example.com/a b'],
  ['not a link', 'not a link'],
])('leaving the field turns %s into %s', async (typed, left) => {
  render(<Field />);
  await userEvent.type(field(), typed);
  expect(field().value).toBe(typed);
  await userEvent.tab();
  expect(field().value).toBe(left);
});

test('leaving a social field completes a name [web-88]', async () => {
  render(<Field complete={(typed) => completeSocialLink('instagram', typed)} />);
  await userEvent.type(field(), 'martabinds');
  await userEvent.tab();
  expect(field().value).toBe('https://www.instagram.com/martabinds');
});
