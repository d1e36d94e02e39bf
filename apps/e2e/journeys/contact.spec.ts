import { call } from '../src/api.ts';
import { saveProfile } from '../src/creators.ts';
import { writeMessage } from '../src/fill-in.ts';
import { isTo, mails, mailThat, sourceOf } from '../src/mail-catcher.ts';
import { expect, test } from '../src/test.ts';

test('the sixth message within the hour is refused with a clear word, and nothing typed is lost', async ({
  page,
}) => {
  await page.goto('/contact');
  for (let sent = 0; sent < 5; sent += 1) {
    await writeMessage(page);
    await page.getByRole('button', { name: 'Send Message' }).click();
    await expect(page.getByText("Thanks for your message! We'll be in touch soon.")).toBeVisible();
    await expect(page.getByLabel('Subject')).toHaveValue('');
  }
  await writeMessage(page, 'One too many');
  await page.getByRole('button', { name: 'Send Message' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Oops! There was a problem' })).toContainText(
    /several messages within the hour\. Please try again in (59|60) minutes\./,
  );
  await expect(page.getByLabel('Subject')).toHaveValue('One too many');
});

test.describe('a creator who hides their address', () => {
  test.beforeEach(async ({ creator }) => {
    await saveProfile(creator.token, { displayName: creator.displayName, contactBy: 'form' });
  });

  test('gets mail through a form on their profile, once, and can answer it', async ({ page, creator }) => {
    await page.goto(`/profile/${creator.username}`);
    await page.getByRole('link', { name: 'Contact Me' }).click();
    await expect(page.getByRole('heading', { name: `Contact ${creator.displayName}` })).toBeVisible();
    const subject = await writeMessage(page);
    await page.getByRole('button', { name: 'Send Message' }).dblclick();
    await expect(page.getByText("Thanks for your message! We'll be in touch soon.")).toBeVisible();
    await expect(page.getByLabel('Message')).toHaveValue('');

    const mail = await mailThat((candidate) => candidate.subject === `[Stoa] ${subject}`);
    expect(isTo(creator.email)(mail)).toBe(true);
    expect(await sourceOf(mail)).toContain('Reply-To: Thandi Dube <thandi@example.test>');
    expect(mail.text).toContain('Do you have a shop in Durban?');
    expect((await mails()).filter((candidate) => candidate.subject.includes(subject))).toHaveLength(1);
  });

  test('shows it nowhere: not in the API, not in the page, with or without scripts', async ({
    page,
    creator,
  }) => {
    const { username, email } = creator;
    for (const path of [
      `/api/creators/${username}`,
      `/api/creators?search=${username}`,
      `/profile/${username}`,
      `/browse-creators?search=${username}`,
      `/profile/${username}/contact`,
    ]) {
      const text = await (await call('GET', path)).text();
      expect(text, path).not.toContain(email);
      expect(text, path).not.toContain('mailto:');
    }
    await page.goto(`/profile/${username}`);
    await expect(page.getByRole('link', { name: 'Contact Me' })).toHaveAttribute(
      'href',
      `/profile/${username}/contact`,
    );
    expect(await page.content()).not.toContain(email);
  });
});

test('a creator chooses between mail and a form in the profile editor', async ({
  signedInPage: page,
  creator,
}) => {
  const mailto = `mailto:${creator.email}`;
  const contactMe = page.getByRole('link', { name: 'Contact Me' });
  await page.goto(`/profile/${creator.username}`);
  await expect(contactMe).toHaveAttribute('href', mailto);
  for (const [choice, href] of [
    ['A form that relays mail and hides my address', `/profile/${creator.username}/contact`],
    ['Show my email address', mailto],
  ] as const) {
    await page.goto('/dashboard/edit-profile');
    await page.getByRole('radio', { name: choice }).check();
    await page.getByRole('button', { name: 'Save Profile' }).click();
    await expect(page.getByText('Profile updated successfully!')).toBeVisible();
    await page.goto(`/profile/${creator.username}`);
    await expect(contactMe).toHaveAttribute('href', href);
  }
});
