import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { BrowserRouter, useLocation } from 'react-router-dom';
import { beforeEach, expect, test } from '@jest/globals';
import { Header } from './header.tsx';

beforeEach(() => history.pushState(null, '', '/'));

function Address() {
  return <output>{useLocation().pathname}</output>;
}

function open() {
  const media = { matches: false, addEventListener() {}, removeEventListener() {} };
  Object.assign(globalThis, { matchMedia: () => media });
  render(
    <BrowserRouter>
      <Header />
      <Address />
    </BrowserRouter>,
  );
}

const toggle = () => screen.getByRole('button', { name: /^(Open|Close) menu$/ });
const isOpen = () => toggle().getAttribute('aria-expanded') === 'true';

test('Escape on the toggle closes the menu and keeps the focus', async () => {
  open();
  await userEvent.click(toggle());
  expect(isOpen()).toBe(true);
  await userEvent.keyboard('{Escape}');
  expect(isOpen()).toBe(false);
  expect(document.activeElement).toBe(toggle());
});

test('Escape on an item closes the menu and moves the focus to the toggle', async () => {
  open();
  await userEvent.click(toggle());
  screen.getByRole('link', { name: 'About Us' }).focus();
  await userEvent.keyboard('{Escape}');
  expect(isOpen()).toBe(false);
  expect(document.activeElement).toBe(toggle());
});

test.each(['Home', 'Browse Creators', 'About Us', 'Log In', 'Sign Up', 'Stoa'])(
  'the link %s closes the menu',
  async (name) => {
    open();
    await userEvent.click(toggle());
    await userEvent.click(screen.getByRole('link', { name }));
    expect(isOpen()).toBe(false);
  },
);

test('going back closes the menu', async () => {
  open();
  await userEvent.click(screen.getByRole('link', { name: 'About Us' }));
  await userEvent.click(toggle());
  history.back();
  await screen.findByText('/');
  expect(isOpen()).toBe(false);
});

test('the theme switch is last in the tab order, as on a wide screen', async () => {
  open();
  const reached: (string | null)[] = [];
  for (let step = 0; step < 8; step += 1) {
    await userEvent.tab();
    reached.push(document.activeElement?.getAttribute('aria-label') ?? document.activeElement!.textContent);
  }
  expect(reached.slice(2, -1)).toEqual(['Home', 'Browse Creators', 'About Us', 'Log In', 'Sign Up']);
  expect(reached.at(-1)).toBe('Dark theme');
});
