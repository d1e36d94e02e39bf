import { fetchApi } from '../src/api.ts';
import { saveProfile } from '../src/creators.ts';
import { verifyEmail } from '../src/keycloak-admin.ts';
import { untilPageShows } from '../src/navigation.ts';
import { isTo, mails, waitForMail } from '../src/mail-catcher.ts';
import { expect, test } from '../src/test.ts';

test('a hidden email address is neither in the API nor in the pages', async ({
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
    const text = await (await fetchApi('GET', path)).text();
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

test('a creator chooses between mail and a form in the profile editor [e2e-69]', async ({
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
    await untilPageShows(`/profile/${creator.username}`, `href="${href}"`);
    await page.goto(`/profile/${creator.username}`);
    await expect(contactMe).toHaveAttribute('href', href);
  }
});

test('an unverified address gets only the verification link, then the held message', async ({
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
  const sent = await fetchApi('POST', `/api/creators/${creator.username}/messages`, { body: message });
  expect(sent.status).toBe(202);
  const proof = await waitForMail(isTo(creator.email));
  expect(proof.subject).toBe('Confirm your email for Stoa');

  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: 'Prove your address: 1 message waits' })).toBeVisible();
  await page.getByRole('button', { name: 'Send the Mail Again' }).click();
  await expect(page.getByText(/We cannot mail you another link yet\. You can ask for one/)).toBeVisible();
  expect((await mails()).filter(isTo(creator.email))).toHaveLength(1);

  await verifyEmail(creator);
  await waitForMail((mail) => isTo(creator.email)(mail) && mail.subject === `[Stoa] ${subject}`);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await expect(page.getByRole('heading', { name: /Prove your address/ })).toHaveCount(0);
});
