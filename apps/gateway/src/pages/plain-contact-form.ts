import { ContactMessage } from '@stoa/contracts';
import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { html, type Html } from '../http/html.ts';

/** The fields of the form, as a browser without scripts posts them. */
export type PlainMessage = Readonly<Record<Field, string>>;

const fields = ['name', 'email', 'subject', 'message'] as const;
type Field = (typeof fields)[number];

const labels: Record<Field, string> = {
  name: 'Name',
  email: 'Email',
  subject: 'Subject',
  message: 'Message',
};
const empty: PlainMessage = { name: '', email: '', subject: '', message: '' };

/** The same text as in the web app. */
export const failureText = 'Oops! There was a problem submitting your form.';
const missing = 'This field is required.';

interface Shown {
  readonly values?: PlainMessage;
  readonly errors?: Readonly<Partial<Record<string, string>>>;
  readonly failure?: string;
}

/** Renders a contact form for browsers without scripts, with the typed values and their errors. */
export function plainContactForm(action: string, { values = empty, errors = {}, failure }: Shown = {}): Html {
  return html`<form action="${action}" method="post">
    ${fields.map((field) => plainField(field, values[field], errors[field]))}
    ${failure === undefined ? html`` : html`<p role="alert">${failure}</p>`}
    <p><button>Send Message</button></p>
  </form>`;
}

/** The contact form of a creator; undefined if the path is not that of such a form. */
export function creatorContactForm(path: string): Html | undefined {
  const [, username] = /^\/profile\/([a-z\d_-]{1,60})\/contact$/.exec(path) ?? [];
  return username === undefined ? undefined : html`<h1>Contact @${username}</h1>${plainContactForm(path)}`;
}

function plainField(field: Field, value: string, error: string | undefined): Html {
  const id = `plain-${field}`;
  const described = error === undefined ? html`` : html` aria-invalid="true" aria-describedby="${id}-error"`;
  const control =
    field === 'message'
      ? html`<textarea id="${id}" name="${field}" rows="6" required${described}>
${value}</textarea
        >`
      : html`<input
          id="${id}"
          name="${field}"
          type="${field === 'email' ? 'email' : 'text'}"
          value="${value}"
          required${described}
        />`;
  return html`<p>
    <label for="${id}">${labels[field]}</label>
    ${control} ${error === undefined ? html`` : html`<span id="${id}-error">${error}</span>`}
  </p>`;
}

/** Reads the known fields of a posted form, and ignores all others. */
export function readPlainMessage(body: unknown): PlainMessage {
  const posted = new URLSearchParams(typeof body === 'string' ? body : '');
  // Browsers post line breaks as CR LF; messages contain LF.
  const value = (field: Field) => (posted.get(field) ?? '').replace(/\r\n?/g, '\n');
  return { name: value('name'), email: value('email'), subject: value('subject'), message: value('message') };
}

const MessageText = ContactMessage.omit({ id: true });
export type MessageText = z.infer<typeof MessageText>;

/** Returns the valid message, or an error for each invalid field. */
export function parseMessage(
  values: PlainMessage,
): { text: MessageText } | { errors: Record<string, string> } {
  const parsed = MessageText.safeParse(values);
  if (parsed.success) return { text: parsed.data };
  const found = parsed.error.issues.map(({ path, message }) => [String(path[0]), message] as const);
  const blank = fields
    .filter((field) => values[field].trim() === '')
    .map((field) => [field, missing] as const);
  // The list is reversed, so that the first error of a field wins, as in the web app.
  return { errors: Object.fromEntries([...found.toReversed(), ...blank]) };
}

/**
 * Adds an id that is derived from text, sender, recipient and day, so that reloading the page does not send the message
 * twice. The recipient is the uid of a creator, or null for the operator.
 */
export function toMessage(text: MessageText, sender: string, recipient: string | null): ContactMessage {
  const day = new Date().toISOString().slice(0, 10);
  const { name, email, subject, message } = text;
  const digest = createHash('sha256')
    .update(JSON.stringify([day, sender, recipient, name, email, subject, message]))
    .digest();
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x80;
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80;
  const id = digest.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  return { ...text, id };
}
