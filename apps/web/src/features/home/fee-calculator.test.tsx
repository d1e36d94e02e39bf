import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from '@jest/globals';
import { FeeCalculator } from './fee-calculator.tsx';

test('the yearly cost follows from the sliders [web-32]', () => {
  render(<FeeCalculator />);
  fireEvent.change(screen.getByRole('slider', { name: 'You sell in a month' }), {
    target: { value: '1000' },
  });
  fireEvent.change(screen.getByRole('slider', { name: 'Commission elsewhere' }), { target: { value: '30' } });
  expect(screen.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual([
    '$8,400',
    'yours, $3,600 in commission',
    '$12,000',
    'yours, $0 in commission',
  ]);
});
