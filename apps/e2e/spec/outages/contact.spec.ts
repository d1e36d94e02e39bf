import type { Page } from '@playwright/test';
import { whileDown } from '../../src/process-control.ts';
import { fillContactForm } from '../../src/fill-in.ts';
import { mails, waitForMail } from '../../src/mail-catcher.ts';
import { expect, row, rows, test } from '../../src/spec-test.ts';

const send = (page: Page, label = 'Send Message') => page.getByRole('button', { name: label });

async function write(page: Page): Promise<string> {
  await page.goto('/contact');
  return fillContactForm(page);
}

test(...row('4.busy.contact', 'the contact service hangs while a message is sent'), async ({ page }) => {
  await write(page);
  await whileDown(
    'contact',
    async () => {
      await send(page).click();
      await expect(send(page, 'Sending...')).toBeDisabled();
    },
    'pause',
  );
  await expect(page.getByText(/^Thanks for your message!/)).toBeVisible();
});

test(
  ...rows({
    '8.contact.failure': 'the contact service is stopped',
    '4.contact.failure': 'the contact service is stopped; nothing typed is lost',
  }),
  async ({ page, words }) => {
    const subject = await write(page);
    await whileDown('contact', async () => {
      await send(page).click();
      await expect(page.getByText(words, { exact: true })).toBeVisible();
      await expect(page.getByRole('alert').getByText(/^Oops!/)).toBeVisible();
      await expect(page.getByLabel('Subject')).toHaveValue(subject);
      await expect(send(page)).toBeEnabled();
    });
  },
);

test(
  ...row(
    'd.contact.outage',
    'the mail server is stopped; so is the contact service, once it has the message',
  ),
  async ({ page }) => {
    const subject = await write(page);
    await whileDown('mail', async () => {
      await send(page).click();
      await expect(page.getByText(/^Thanks for your message!/)).toBeVisible();
      // Restarts the service. The message is in the database, so it survives.
      await whileDown('contact', async () => {});
    });
    await waitForMail((mail) => mail.subject.includes(subject));
    expect((await mails()).filter((mail) => mail.subject.includes(subject))).toHaveLength(1);
  },
);
