import type { Page } from '@playwright/test';
import { command, without } from '../../src/control.ts';
import { writeMessage } from '../../src/fill-in.ts';
import { mails, mailThat } from '../../src/mail-catcher.ts';
import { expect, row, test } from '../../src/spec-test.ts';

const send = (page: Page, label = 'Send Message') => page.getByRole('button', { name: label });

async function write(page: Page): Promise<string> {
  await page.goto('/contact');
  return writeMessage(page);
}

test(...row('4.busy.contact', 'the contact service hangs while a message is sent'), async ({ page }) => {
  await write(page);
  await without(
    'contact',
    async () => {
      await send(page).click();
      await expect(send(page, 'Sending...')).toBeDisabled();
    },
    'pause',
  );
  await expect(page.getByText(/^Thanks for your message!/)).toBeVisible();
});

test.describe('the contact service is stopped', () => {
  test.beforeAll(() => command('stop', 'contact'));
  test.afterAll(() => command('start', 'contact'));

  test(...row('8.contact.failure', 'the contact service is stopped'), async ({ page, words }) => {
    await write(page);
    await send(page).click();
    await expect(page.getByText(words, { exact: true })).toBeVisible();
  });

  test(
    ...row('4.contact.failure', 'the contact service is stopped; nothing typed is lost'),
    async ({ page }) => {
      const subject = await write(page);
      await send(page).click();
      await expect(page.getByRole('alert').getByText(/^Oops!/)).toBeVisible();
      await expect(page.getByLabel('Subject')).toHaveValue(subject);
      await expect(send(page)).toBeEnabled();
    },
  );
});

test(
  ...row(
    'd.contact.outage',
    'the mail server is stopped; so is the contact service, once it has the message',
  ),
  async ({ page }) => {
    const subject = await write(page);
    await without('mail', async () => {
      await send(page).click();
      await expect(page.getByText(/^Thanks for your message!/)).toBeVisible();
      // It waits in the database, so it also outlives the service that took it.
      await without('contact', async () => {});
    });
    await mailThat((mail) => mail.subject.includes(subject));
    expect((await mails()).filter((mail) => mail.subject.includes(subject))).toHaveLength(1);
  },
);
