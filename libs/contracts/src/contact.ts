import { z } from 'zod';
import { contract, request } from './contract.ts';
import { Email, Id, requiredLine, requiredText } from './fields.ts';

/** `id` is made by the sender's browser, so that a double click or a retry is one message. */
export const ContactMessage = z
  .object({
    id: Id,
    name: requiredLine(100),
    email: Email,
    subject: requiredLine(200),
    message: requiredText(5000),
  })
  .meta({ id: 'ContactMessage' });
export type ContactMessage = z.infer<typeof ContactMessage>;

export const ContactReceipt = z.object({ id: Id }).meta({ id: 'ContactReceipt' });
export type ContactReceipt = z.infer<typeof ContactReceipt>;

export const contact = contract('contact', {
  send: request({ input: ContactMessage, output: ContactReceipt }),
});
