import { openAccountRow } from '../src/account-row.ts';
import { expectAccessible } from '../src/accessibility/expect-accessible.ts';
import { makeOffering } from '../src/creators.ts';
import { verifyEmail } from '../src/keycloak-admin.ts';
import { isTo, waitForMail } from '../src/mail-catcher.ts';
import { settled } from '../src/settled.ts';
import { logIn } from '../src/sign-in.ts';
import { expect, test } from '../src/test.ts';

test('a creator deletes the account after a recent log-in and gets a receipt [e2e-51]', async ({
  signedInPage: page,
  creator,
}) => {
  await verifyEmail(creator);
  await makeOffering(creator.token);
  await page.clock.install();
  await page.goto('/dashboard/account');
  const section = await openAccountRow(page, 'Delete Your Account');
  await expect(section.getByText(creator.email)).toBeVisible();
  // Waits for all tokens. A later token would set the page's clock back, and the log-in would still be recent.
  await settled(page);
  await page.clock.setSystemTime(Date.now() + 6 * 60_000);
  await section.getByRole('button', { name: 'Delete My Account' }).click();
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(creator.password);
  await page.getByRole('button', { name: 'Log In' }).click();

  const typed = section.getByRole('textbox', { name: /^Type “delete my account” to confirm/ });
  await expect(typed).toBeFocused();
  await typed.fill('delete my account');
  await typed.press('Enter');
  await expect(page).toHaveURL('/account-deleted');
  await expect(page.getByRole('heading', { level: 1, name: 'Your Account Is Deleted' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Log Out' })).toHaveCount(0);
  await expectAccessible(page, 'account-deleted');

  const isMine = isTo(creator.email);
  const receipt = await waitForMail(
    (mail) => isMine(mail) && mail.subject === 'Your Stoa account is deleted',
  );
  expect(receipt.text).toContain('- 1 profile\n- 1 offering\n- 1 picture\n- 0 files');
  const status = async () => (await page.request.get(`/profile/${creator.username}`)).status();
  await expect.poll(status).toBe(404);

  await page.goto('/dashboard');
  await logIn(page, creator);
  await expect(page.getByText('Invalid email or password. Please try again.')).toBeVisible();
});
