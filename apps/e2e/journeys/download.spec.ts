import { makeOffering } from '../src/creators.ts';
import { logIn } from '../src/sign-in.ts';
import { expect, test } from '../src/test.ts';

test('the download page asks to log in, then shows the offering', async ({ page, creator }) => {
  const offering = await makeOffering(creator.token, { title: 'A book of letters' });
  await page.goto(`/download/${creator.uid}/${offering.id}`);
  await logIn(page, creator);
  await expect(page).toHaveURL(`/download/${creator.uid}/${offering.id}`);
  await expect(page.getByRole('heading', { name: 'A book of letters' })).toBeVisible();
  await expect(page.getByText('No downloadable file is associated with this offering.')).toBeVisible();
  await page.getByRole('link', { name: 'Back to Home' }).click();
  await expect(page).toHaveURL('/');
});

test('a download link that leads nowhere says why', async ({ signedInPage: page, creator }) => {
  const cases = [
    ['/download', 'Invalid request link.'],
    [`/download/${creator.uid}`, 'Invalid request link.'],
    ['/download/nonsense/nonsense', 'Invalid request link.'],
    [`/download/${creator.uid}/${crypto.randomUUID()}`, "Sorry, we couldn't find that offering."],
  ] as const;
  for (const [path, words] of cases) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: 'An Error Occurred' })).toBeVisible();
    await expect(page.getByText(words)).toBeVisible();
    await expect(page.getByRole('link', { name: 'Back to Home' })).toBeVisible();
  }
});
