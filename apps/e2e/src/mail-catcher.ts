import { expect } from '@playwright/test';
import { theSystem } from './system.ts';

export interface Mail {
  id: string;
  subject: string;
  text: string;
  html: string;
  to: { address: string }[];
}

/** A message in the list of Mailpit's API. */
interface Listed {
  ID: string;
  Subject: string;
  To: { Address: string }[];
}

/** A cache by id. A mail never changes, and tests poll. */
const known = new Map<string, Promise<Mail | undefined>>();

async function read({ ID: id, Subject: subject, To }: Listed): Promise<Mail | undefined> {
  const response = await fetch(`${theSystem().mail.url}/api/v1/message/${id}`);
  // Mailpit keeps only the latest mails and may have deleted this one since the list.
  if (response.status === 404) return undefined;
  const { Text: text, HTML: html } = (await response.json()) as { Text: string; HTML: string };
  return { id, subject, text, html, to: To.map(({ Address: address }) => ({ address })) };
}

/** All mails in Mailpit. */
export async function mails(): Promise<Mail[]> {
  const response = await fetch(`${theSystem().mail.url}/api/v1/messages?limit=500`);
  const { messages } = (await response.json()) as { messages: Listed[] };
  const found = await Promise.all(
    messages.map((listed) => {
      const mail = known.get(listed.ID) ?? read(listed);
      known.set(listed.ID, mail);
      mail.catch(() => known.delete(listed.ID));
      return mail;
    }),
  );
  return found.filter((mail) => mail !== undefined);
}

/** Waits for the only matching mail. */
export async function waitForMail(matches: (mail: Mail) => boolean): Promise<Mail> {
  const found = async () => (await mails()).filter(matches);
  await expect.poll(async () => (await found()).length, { timeout: 30_000 }).toBeGreaterThan(0);
  const [mail] = await found();
  if (!mail) throw new Error('Mailpit has already deleted the mail.');
  return mail;
}

export const isTo = (address: string) => (mail: Mail) =>
  mail.to.some((to) => to.address.toLowerCase() === address.toLowerCase());

/** Whether this is the mail with the reset link. A sign-up sends another mail to the same address first. */
export const isPasswordResetTo = (address: string) => (mail: Mail) =>
  isTo(address)(mail) && mail.subject === 'Choose a new password for Stoa';

/** The raw source of a mail with its headers. */
export async function mailSource({ id }: Mail): Promise<string> {
  const response = await fetch(`${theSystem().mail.url}/api/v1/message/${id}/raw`);
  return response.text();
}
