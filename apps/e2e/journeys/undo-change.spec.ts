import { verifyEmail } from '../src/keycloak-admin.ts';
import { isTo, waitForMail } from '../src/mail-catcher.ts';
import { logIn, untilPasswordIsRequired } from '../src/sign-in.ts';
import { expect, test } from '../src/test.ts';

const changed = 'a thief chose this one';
const chosen = 'their owner chose this one';

test('an owner recovers the account by the mail about a password change [e2e-162]', async ({
  signedInPage: thief,
  creator,
  browser,
}) => {
  await verifyEmail(creator);
  await thief.goto('/dashboard/account');
  await untilPasswordIsRequired();
  await thief.getByRole('button', { name: 'Change Password' }).click();
  await thief.getByRole('textbox', { name: 'Password', exact: true }).fill(creator.password);
  await thief.getByRole('button', { name: 'Log In' }).click();
  await thief.getByRole('textbox', { name: 'New password', exact: true }).fill(changed);
  await thief.getByRole('textbox', { name: /^Confirm/ }).fill(changed);
  await thief.getByRole('main').locator('[type=submit]').first().click();
  await expect(thief.getByText('Your password has been changed.')).toBeVisible();

  const isMine = isTo(creator.email);
  const told = await waitForMail((mail) => isMine(mail) && mail.subject === 'Your Stoa password was changed');
  const elsewhere = await browser.newContext({ baseURL: new URL(thief.url()).origin });
  const owner = await elsewhere.newPage();
  await owner.goto(/https?:\/\/\S+\/undo-change#\S+/.exec(told.text)?.[0] ?? '');
  await owner.getByRole('button', { name: 'It Was Not Me: Take It Back' }).click();
  await expect(owner.getByText('The account is yours again')).toBeVisible();
  await thief.reload();
  await expect(thief.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();

  const reset = await waitForMail(
    (mail) => isMine(mail) && mail.subject === 'Something to do for your Stoa account',
  );
  await owner.goto(/https?:\/\/\S+action-token\S+/.exec(reset.text)?.[0] ?? '');
  await owner.getByRole('link', { name: 'Continue' }).click();
  await owner.getByRole('textbox', { name: 'New password', exact: true }).fill(chosen);
  await owner.getByRole('textbox', { name: /^Confirm/ }).fill(chosen);
  await owner.getByRole('main').locator('[type=submit]').first().click();
  await owner.goto('/login');
  await logIn(owner, { ...creator, password: chosen });
  await expect(owner).toHaveURL('/dashboard');
  await elsewhere.close();
});
