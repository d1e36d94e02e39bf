import { expect } from '@playwright/test';
import { theSystem } from './system.ts';

export interface Mail {
  id: string;
  subject: string;
  text: string;
  html: string;
  to: { address: string }[];
}

/** As the API of Mailpit names things. */
interface Listed {
  ID: string;
  Subject: string;
  To: { Address: string }[];
}

/** What has been read, by id: a mail never changes, and many a test asks again and again. */
const known = new Map<string, Promise<Mail | undefined>>();

async function read({ ID: id, Subject: subject, To }: Listed): Promise<Mail | undefined> {
  const response = await fetch(`${theSystem().mail.url}/api/v1/message/${id}`);
  // The catcher keeps the latest alone, and others have come since the list.
  if (response.status === 404) return undefined;
  const { Text: text, HTML: html } = (await response.json()) as { Text: string; HTML: string };
  return { id, subject, text, html, to: To.map(({ Address: address }) => ({ address })) };
}

/** Every mail that the catcher holds. */
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

/** Waits for the mail that matches; there is only ever one. */
export async function waitForMail(matches: (mail: Mail) => boolean): Promise<Mail> {
  const found = async () => (await mails()).filter(matches);
  await expect.poll(async () => (await found()).length, { timeout: 30_000 }).toBeGreaterThan(0);
  const [mail] = await found();
  if (!mail) throw new Error('The mail has gone again.');
  return mail;
}

export const isTo = (address: string) => (mail: Mail) =>
  mail.to.some((to) => to.address.toLowerCase() === address.toLowerCase());

/** Whether this is the mail with a reset link: who signs up is mailed a link that proves their address first. */
export const isPasswordResetTo = (address: string) => (mail: Mail) =>
  isTo(address)(mail) && mail.subject === 'Choose a new password for Stoa';

/** A mail as it came over the wire, headers and all. */
export async function mailSource({ id }: Mail): Promise<string> {
  const response = await fetch(`${theSystem().mail.url}/api/v1/message/${id}/raw`);
  return response.text();
}
