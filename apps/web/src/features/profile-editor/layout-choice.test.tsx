import type { Layout } from '@stoa/contracts';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from '@jest/globals';
import { LayoutChoice } from './layout-choice.tsx';

function Choice({ error }: { error?: string }) {
  const [chosen, setChosen] = useState<Layout>('cards');
  return <LayoutChoice chosen={chosen} error={error} onChange={setChosen} />;
}

const group = () => screen.getByRole('group', { name: 'Layout' });
const chosen = () =>
  within(group())
    .getAllByRole<HTMLInputElement>('radio')
    .filter(({ checked }) => checked)
    .map(({ value }) => value);

test('the creator chooses between two layouts with name and description [web-59]', async () => {
  render(<Choice />);
  expect(chosen()).toEqual(['cards']);
  const list = screen.getByRole('radio', { name: 'List' });
  const words = document.getElementById(list.getAttribute('aria-describedby') ?? '');
  expect(words?.textContent).toMatch(/^One short row/);
  await userEvent.click(list);
  expect(chosen()).toEqual(['list']);
  await userEvent.click(screen.getByRole('radio', { name: 'Cards' }));
  expect(chosen()).toEqual(['cards']);
});

test('an error of the layout appears at its group', () => {
  render(<Choice error="Choose one of the list." />);
  expect(group().getAttribute('aria-describedby')).toBe(screen.getByText('Choose one of the list.').id);
});
