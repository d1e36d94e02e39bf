import { expect } from '@playwright/test';
import type { Account } from '../creators.ts';
import { theSystem } from '../system.ts';
import type { Target, Visitor } from './visitor.ts';

export const heading = (name: string | RegExp): Target => ({ role: 'heading', name });
export const link = (name: string | RegExp): Target => ({ role: 'link', name });
export const button = (name: string | RegExp): Target => ({ role: 'button', name });
export const inMenu = (thing: Target): Target => ({ ...thing, in: { role: 'navigation', name: 'Main' } });

export async function expectPath(visitor: Visitor, path: string): Promise<void> {
  await expect
    .poll(async () => {
      const { origin, pathname } = await visitor.address();
      return origin === theSystem().siteUrl ? pathname : origin;
    })
    .toBe(path);
}

export async function signUp(visitor: Visitor, account: Account): Promise<void> {
  await visitor.sees(heading('Create Your Account'));
  await visitor.fill({ label: /^\s*Display name/ }, account.displayName);
  await visitor.fill({ label: /^\s*Username/ }, account.username);
  await visitor.fill({ label: /^\s*Email/ }, account.email);
  await visitor.fill({ label: /^\s*Password/ }, account.password);
  await visitor.fill({ label: /^\s*Confirm password/ }, account.password);
  await visitor.click({ role: 'checkbox', name: /I agree to the Terms of Service/ });
  await visitor.click(button('Sign Up'));
}

export async function logIn(visitor: Visitor, { email, password }: Account): Promise<void> {
  await visitor.sees(heading('Welcome Back'));
  await visitor.fill({ label: /^\s*Email/ }, email);
  await visitor.fill({ label: /^\s*Password/ }, password);
  await visitor.click(button('Log In'));
}
