import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from '@jest/globals';
import { NicheChoice } from './niche-choice.tsx';
import { PaygateRows } from './paygate-rows.tsx';
import { emptyRow } from './profile-form.ts';

function Rows({ count, touch = () => {} }: { count: number; touch?: (paths: readonly string[]) => void }) {
  const [rows, setRows] = useState(() => Array.from({ length: count }, emptyRow));
  return (
    <PaygateRows
      rows={rows}
      errors={{}}
      onChange={(changed, touched) => {
        setRows(changed);
        touch(touched);
      }}
    />
  );
}

const add = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Add Payment Link' });
const remove = (row: number) => screen.getByRole('button', { name: `Remove payment link ${row}` });
const name = (row: number) => screen.getByRole('textbox', { name: `Name of payment link ${row}` });
const address = (row: number) => screen.getByRole('textbox', { name: `Address of payment link ${row}` });

test('a new row gets the focus', async () => {
  render(<Rows count={1} />);
  await userEvent.click(add());
  expect(document.activeElement).toBe(name(2));
});

test('removing a row moves the focus to the next, the previous or the add button', async () => {
  render(<Rows count={3} />);
  await userEvent.type(name(3), 'Third');
  await userEvent.click(remove(2));
  expect(document.activeElement).toBe(remove(2));
  expect((name(2) as HTMLInputElement).value).toBe('Third');
  await userEvent.click(remove(2));
  expect(document.activeElement).toBe(remove(1));
  await userEvent.click(remove(1));
  expect(document.activeElement).toBe(add());
});

const fullText = 'A profile has room for 10 payment links.';

test('at the limit Add is disabled with a message, and removing a row keeps the focus [web-63]', async () => {
  render(<Rows count={10} />);
  expect(add().disabled).toBe(true);
  expect(screen.getByText(fullText)).toBeTruthy();
  await userEvent.click(remove(10));
  expect(document.activeElement).toBe(remove(9));
  expect(add().disabled).toBe(false);
  expect(screen.queryByText(fullText)).toBeNull();
});

test('an incomplete row shows at its empty field that it is not saved [web-64]', async () => {
  render(<Rows count={1} />);
  expect(screen.queryByText(/this row is not saved/)).toBeNull();
  await userEvent.type(name(1), 'PayPal');
  const hint = screen.getByText('Add a link, or this row is not saved.');
  expect(address(1).getAttribute('aria-describedby')).toBe(hint.id);
  await userEvent.type(address(1), 'https://a.example');
  expect(screen.queryByText(/this row is not saved/)).toBeNull();
  await userEvent.clear(name(1));
  expect(screen.getByText('Add a name, or this row is not saved.')).toBeTruthy();
});

test('a link without encryption shows a warning, and one click corrects it [web-65]', async () => {
  render(<Rows count={1} />);
  await userEvent.type(address(1), 'http://pay.example.com/http://x');
  expect(screen.getByText(/^This link is not encrypted\./).getAttribute('role')).toBe('status');
  await userEvent.click(screen.getByRole('button', { name: 'Use https:// for payment link 1' }));
  expect((address(1) as HTMLInputElement).value).toBe('https://pay.example.com/http://x');
  expect(screen.queryByText(/not encrypted/)).toBeNull();
  expect(document.activeElement).toBe(address(1));
});

test('typing in one row keeps the errors of the others', async () => {
  const touched = new Set<string>();
  render(<Rows count={2} touch={(paths) => paths.forEach((path) => touched.add(path))} />);
  await userEvent.type(name(1), 'A');
  expect([...touched]).toEqual([expect.stringMatching(/^paygates\..+\.name$/)]);
});

test('an error of all rows appears at their group', () => {
  const errors = { paygates: 'At most 10 payment links.' };
  const { rerender } = render(<PaygateRows rows={[]} errors={errors} onChange={() => {}} />);
  const group = screen.getByRole('group', { name: 'Payment Links' });
  expect(group.getAttribute('aria-describedby')).toBe(screen.getByText(errors.paygates).id);
  expect(group.getAttribute('aria-invalid')).toBe('true');
  group.focus();
  expect(document.activeElement).toBe(group);
  rerender(<PaygateRows rows={[]} errors={{}} onChange={() => {}} />);
  expect(group.hasAttribute('aria-invalid')).toBe(false);
});

test('an error of the niches appears at their group', () => {
  render(<NicheChoice chosen={[]} error="Choose fewer niches." onChange={() => {}} />);
  const group = screen.getByRole('group', { name: 'Niches' });
  expect(group.getAttribute('aria-describedby')).toBe(screen.getByText('Choose fewer niches.').id);
  expect(group.getAttribute('aria-invalid')).toBe('true');
});
