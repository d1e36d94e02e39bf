import { expect } from '@playwright/test';
import { theSystem } from './system.ts';

export interface Mail {
  id: string;
  subject: string;
  text: string;
  html: string;
  to: { address: string }[];
}

/** A mail in the list that Mailpit's API returns. */
interface Listed {
  ID: string;
  Subject: string;
  To: { Address: string }[];
}

/** Mails by id. A mail never changes, and tests read the list many times. */
const known = new Map<string, Promise<Mail | undefined>>();

async function read({ ID: id, Subject: subject, To }: Listed): Promise<Mail | undefined> {
  const response = await fetch(`${theSystem().mail.url}/api/v1/message/${id}`);
  // Mailpit deletes old mails, so this one may be gone since it was listed.
  if (response.status === 404) return undefined;
  const { Text: text, HTML: html } = (await response.json()) as { Text: string; HTML: string };
  return { id, subject, text, html, to: To.map(({ Address: address }) => ({ address })) };
}

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

/** Waits until exactly one mail matches, and returns it. */
export async function waitForMail(matches: (mail: Mail) => boolean): Promise<Mail> {
  const found = async () => (await mails()).filter(matches);
  await expect.poll(async () => (await found()).length, { timeout: 30_000 }).toBeGreaterThan(0);
  const [mail] = await found();
  if (!mail) throw new Error('Mailpit has already deleted the mail.');
  return mail;
}

export const isTo = (address: string) => (mail: Mail) =>
  mail.to.some((to) => to.address.toLowerCase() === address.toLowerCase());

/** Whether the mail contains the link to reset a password. A sign-up sends another mail to the same address first. */
export const isPasswordResetTo = (address: string) => (mail: Mail) =>
  isTo(address)(mail) && mail.subject === 'Choose a new password for Stoa';

/** The source of a mail with all headers. */
export async function mailSource({ id }: Mail): Promise<string> {
  const response = await fetch(`${theSystem().mail.url}/api/v1/message/${id}/raw`);
  return response.text();
}
