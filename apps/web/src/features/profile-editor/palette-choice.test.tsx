import type { Palette } from '@stoa/contracts';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from '@jest/globals';
import { PaletteChoice } from './palette-choice.tsx';

function Choice({ error }: { error?: string }) {
  const [chosen, setChosen] = useState<Palette>('terracotta');
  return <PaletteChoice chosen={chosen} error={error} onChange={setChosen} />;
}

const chosen = () => screen.getAllByRole<HTMLInputElement>('radio').filter(({ checked }) => checked);

test('the creator chooses one of six palettes [web-62]', async () => {
  render(<Choice />);
  const group = screen.getByRole('group', { name: 'Colours' });
  expect(group.querySelectorAll('input[type=radio]')).toHaveLength(6);
  expect(chosen().map(({ value }) => value)).toEqual(['terracotta']);
  await userEvent.click(screen.getByRole('radio', { name: 'Plum' }));
  expect(chosen().map(({ value }) => value)).toEqual(['plum']);
});

test('an error of the palette appears at its group', () => {
  render(<Choice error="Choose one of the list." />);
  const group = screen.getByRole('group', { name: 'Colours' });
  expect(group.getAttribute('aria-describedby')).toBe(screen.getByText('Choose one of the list.').id);
});
