import { call } from '../src/api.ts';
import { saveProfile } from '../src/creators.ts';
import { proveAddress } from '../src/keycloak-admin.ts';
import { isTo, mails, mailThat } from '../src/mail-catcher.ts';
import { expect, test } from '../src/test.ts';

test('a creator who hides their address shows it nowhere: not in the API, not in the page, with or without scripts', async ({
  page,
  creator: { token, displayName, username, email },
}) => {
  await saveProfile(token, { displayName, contactBy: 'form' });
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

test('an address that nobody has proved is mailed nothing but the link, and then what waited', async ({
  signedInPage: page,
  creator,
}) => {
  await saveProfile(creator.token, { displayName: creator.displayName, contactBy: 'form' });
  const subject = `Waiting ${creator.username}`;
  const message = {
    id: crypto.randomUUID(),
    name: 'Ada',
    email: 'ada@example.test',
    subject,
    message: 'Hello',
  };
  const sent = await call('POST', `/api/creators/${creator.username}/messages`, { body: message });
  expect(sent.status).toBe(202);
  const proof = await mailThat(isTo(creator.email));
  expect(proof.subject).toBe('Confirm your email for Stoa');

  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: 'Prove your address: 1 message waits' })).toBeVisible();
  await page.getByRole('button', { name: 'Send the Mail Again' }).click();
  await expect(page.getByText(/A mail is on its way already/)).toBeVisible();
  expect((await mails()).filter(isTo(creator.email))).toHaveLength(1);

  await proveAddress(creator);
  await mailThat((mail) => isTo(creator.email)(mail) && mail.subject === `[Stoa] ${subject}`);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await expect(page.getByRole('heading', { name: /Prove your address/ })).toHaveCount(0);
});
