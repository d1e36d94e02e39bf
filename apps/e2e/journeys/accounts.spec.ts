import { anAccount } from '../src/creators.ts';
import { change } from '../src/database.ts';
import { logOut, register } from '../src/sign-in.ts';
import { expect, test } from '../src/test.ts';

test('an account whose username belongs to another profile is told so, in every room', async ({
  page,
  creator,
}) => {
  // Keycloak and the profiles have drifted apart, as after a restore of one of them.
  const username = anAccount().username;
  await change('creators', 'UPDATE creator SET username = $1 WHERE uid = $2', [username, creator.uid]);
  await page.goto('/signup');
  await register(page, { ...anAccount(), username });
  const refused = page.getByRole('heading', { name: 'Your account could not be opened.' });
  await expect(refused).toBeVisible();
  await page.goto('/dashboard');
  await expect(refused).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Contact us' }).click();
  await expect(page).toHaveURL('/contact');
  await logOut(page);
});
