import type { Page } from '@playwright/test';
import { fillContactForm } from '../src/fill-in.ts';
import { isTo, mails, waitForMail, mailSource } from '../src/mail-catcher.ts';
import { theSystem } from '../src/system.ts';
import { expect, row, rows, test } from '../src/spec-test.ts';

const fields = ['Name', 'Email', 'Subject', 'Message'];
const send = (page: Page) => page.getByRole('button', { name: 'Send Message' });

test(...row('2.contact.form', 'a visitor opens the page'), async ({ openAsVisitor }) => {
  const page = await openAsVisitor('/contact');
  for (const field of fields) await expect(page.getByLabel(field)).toBeEditable();
});

test(...row('4.contact.idle', 'a visitor opens the page'), async ({ openAsVisitor }) => {
  const page = await openAsVisitor('/contact');
  for (const field of fields) await expect(page.getByLabel(field)).toHaveValue('');
  await expect(page.getByText(/Sending|Thanks for|Oops/)).toHaveCount(0);
});

test.describe('the form, used', () => {
  test.beforeEach(async ({ page }) => {
    await page.goto('/contact');
    await expect(send(page)).toBeEnabled();
  });

  test(
    ...rows({
      '5.contact.name': 'the form is sent without it',
      '5.contact.email': 'the form is sent without it',
      '5.contact.subject': 'the form is sent without it',
      '5.contact.message': 'the form is sent without it',
    }),
    async ({ page }) => {
      const sent: string[] = [];
      page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
      for (const field of fields) {
        await fillContactForm(page);
        await page.getByLabel(field).fill(' ');
        await send(page).click();
        await expect(page.getByText('This field is required.', { exact: true })).toHaveCount(1);
        await expect(page.getByLabel(field)).toBeFocused();
        await expect(page.getByLabel(field)).toHaveAttribute('aria-invalid', 'true');
      }
      await fillContactForm(page);
      await page.getByLabel('Email').fill('not an address');
      await send(page).click();
      await expect(page.getByText('The email address is not valid.', { exact: true })).toBeVisible();
      await expect(page.getByLabel('Email')).toBeFocused();
      expect(sent).toEqual([]);
    },
  );

  test(
    ...rows({
      '8.contact.success': 'a message is sent',
      '4.contact.success': 'a message is sent',
      '7.contact': 'a message is sent',
      '7.contact.success': 'a message is sent, and the answer seen',
      '3.contact': 'a message is sent; the mail carries all four',
    }),
    async ({ page, baseURL, words }) => {
      const subject = await fillContactForm(page);
      const [request, answer] = await Promise.all([
        page.waitForRequest((candidate) => candidate.method() === 'POST'),
        page.waitForResponse((candidate) => candidate.request().method() === 'POST'),
        send(page).click(),
      ]);
      expect(request.url()).toBe(`${baseURL}/api/contact-messages`);
      const headers = await request.allHeaders();
      expect([headers.accept, headers['content-type']]).toEqual(['application/json', 'application/json']);
      expect(request.postDataJSON()).toMatchObject({
        name: 'Thandi Dube',
        email: 'thandi@example.test',
        subject,
        message: 'Do you have a shop in Durban?\n\nThank you.',
      });
      expect(answer.ok(), String(answer.status())).toBe(true);
      await expect(page.getByText(words, { exact: true })).toBeVisible();
      await expect(page.getByRole('status').getByText(words)).toBeVisible();
      for (const field of fields) await expect(page.getByLabel(field)).toHaveValue('');

      const mail = await waitForMail((candidate) => candidate.subject.includes(subject));
      for (const part of ['Thandi Dube', 'thandi@example.test', 'Do you have a shop in Durban?']) {
        expect(mail.text + (await mailSource(mail))).toContain(part);
      }
    },
  );

  test(
    ...row('d.contact.mailed', 'a message is sent with a double click, and mailed once'),
    async ({ page }) => {
      const subject = await fillContactForm(page);
      await send(page).dblclick();
      await expect(page.getByText(/^Thanks for your message!/)).toBeVisible();
      const mail = await waitForMail((candidate) => candidate.subject === `[Contact] ${subject}`);
      expect(isTo(theSystem().environments.contact.OPERATOR_EMAIL ?? '')(mail)).toBe(true);
      expect(await mailSource(mail)).toContain('Reply-To: Thandi Dube <thandi@example.test>');
      expect((await mails()).filter((candidate) => candidate.subject.includes(subject))).toHaveLength(1);
    },
  );

  test(
    ...row('d.contact.limit', 'a sixth message within the hour; nothing typed is lost'),
    async ({ page }) => {
      for (let sent = 0; sent < 5; sent += 1) {
        await fillContactForm(page);
        await page.getByRole('button', { name: 'Send Message' }).click();
        await expect(page.getByText("Thanks for your message! We'll be in touch soon.")).toBeVisible();
        await expect(page.getByLabel('Subject')).toHaveValue('');
      }
      await fillContactForm(page, 'One too many');
      await page.getByRole('button', { name: 'Send Message' }).click();
      await expect(page.getByRole('alert').filter({ hasText: 'Oops! There was a problem' })).toContainText(
        /Several messages have come from your network within the hour\. Please try again in (59|60) minutes\./,
      );
      await expect(page.getByLabel('Subject')).toHaveValue('One too many');
    },
  );
});
