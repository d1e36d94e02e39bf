import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from '@jest/globals';
import { OwnLinkRows } from './own-link-rows.tsx';
import { emptyRow } from './profile-form.ts';

function Rows({ names }: { names: readonly string[] }) {
  const [rows, setRows] = useState(() => names.map((name) => ({ ...emptyRow(), name })));
  return <OwnLinkRows rows={rows} errors={{}} onChange={setRows} />;
}

const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const labels = () =>
  screen.getAllByRole<HTMLInputElement>('textbox', { name: /^Label of link/ }).map(({ value }) => value);

test('buttons reorder links, keep the focus and announce the new place [web-61]', async () => {
  render(<Rows names={['One', 'Two', 'Three']} />);
  await userEvent.click(button('Move link 1 down'));
  expect(labels()).toEqual(['Two', 'One', 'Three']);
  expect(document.activeElement).toBe(button('Move link 2 down'));
  expect(screen.getByText('Now 2 of 3.').getAttribute('role')).toBe('status');
  await userEvent.keyboard('{Enter}');
  expect(labels()).toEqual(['Two', 'Three', 'One']);
  expect(document.activeElement).toBe(button('Move link 3 down'));
  expect(button('Move link 3 down').getAttribute('aria-disabled')).toBe('true');
  await userEvent.keyboard('{Enter}');
  expect(labels()).toEqual(['Two', 'Three', 'One']);
  await userEvent.click(button('Move link 2 up'));
  expect(labels()).toEqual(['Three', 'Two', 'One']);
});

test('a row without label or link shows that it is not saved', async () => {
  render(<Rows names={['Shop']} />);
  expect(screen.getByText('Add a link, or this row is not saved.')).toBeTruthy();
  await userEvent.clear(screen.getByRole('textbox', { name: 'Label of link 1' }));
  await userEvent.type(screen.getByRole('textbox', { name: 'Address of link 1' }), 'https://a.example');
  expect(screen.getByText('Add a label, or this row is not saved.')).toBeTruthy();
});

test('a single link cannot move, and ten is the maximum', async () => {
  const { unmount } = render(<Rows names={['Only']} />);
  expect(screen.queryByRole('button', { name: /^Move/ })).toBeNull();
  unmount();
  render(<Rows names={Array.from({ length: 9 }, String)} />);
  await userEvent.click(button('Add Link'));
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Label of link 10' }));
  expect(button('Add Link').disabled).toBe(true);
  expect(screen.getByText('A profile has room for 10 links.')).toBeTruthy();
});
