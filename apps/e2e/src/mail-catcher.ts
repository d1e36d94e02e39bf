import { expect } from '@playwright/test';
import { theSystem } from './system.ts';

export interface Mail {
  subject: string;
  text: string;
  html?: string;
  from: { address: string }[];
  to: { address: string }[];
  replyTo?: { address: string; name: string }[];
}

/** Every mail that the catcher holds. */
export async function mails(): Promise<Mail[]> {
  const response = await fetch(`${theSystem().mail.url}/api/email`);
  return (await response.json()) as Mail[];
}

/** Waits for the mail that matches; there is only ever one. */
export async function mailThat(matches: (mail: Mail) => boolean): Promise<Mail> {
  const found = async () => (await mails()).filter(matches);
  await expect.poll(async () => (await found()).length, { timeout: 30_000 }).toBeGreaterThan(0);
  const [mail] = await found();
  if (!mail) throw new Error('The mail has gone again.');
  return mail;
}

export const isTo = (address: string) => (mail: Mail) =>
  mail.to.some((to) => to.address.toLowerCase() === address.toLowerCase());
