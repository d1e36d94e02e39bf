import { newAccount } from '../src/creators.ts';
import { updateRow } from '../src/database.ts';
import { logOut, register } from '../src/sign-in.ts';
import { expect, test } from '../src/test.ts';

test('an account with the username of another profile sees an error', async ({ page, creator }) => {
  // Keycloak and the profile now contain different usernames, as after a restore of only one of them.
  const username = newAccount().username;
  await updateRow('creators', 'UPDATE creator SET username = $1 WHERE uid = $2', [username, creator.uid]);
  await page.goto('/signup');
  await register(page, { ...newAccount(), username });
  const refused = page.getByRole('heading', { name: 'Your account could not be opened.' });
  await expect(refused).toBeVisible();
  await page.goto('/dashboard');
  await expect(refused).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Contact us' }).click();
  await expect(page).toHaveURL('/contact');
  await logOut(page);
});
