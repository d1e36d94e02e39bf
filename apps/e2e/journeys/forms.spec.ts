import type { Creator } from '@stoa/contracts';
import type { Page } from '@playwright/test';
import { fetchApi, fetchJson } from '../src/api.ts';
import { makeCreator, makeOffering } from '../src/creators.ts';
import { updateRow } from '../src/database.ts';
import { fillOffering } from '../src/fill-in.ts';
import { randomPhoto, square } from '../src/pictures.ts';
import { settled } from '../src/settled.ts';
import { expireSession, logIn } from '../src/sign-in.ts';
import { theSystem } from '../src/system.ts';
import { expect, test } from '../src/test.ts';

const question = (page: Page) => page.getByRole('alertdialog', { name: 'Leave without saving?' });

test('a session that expires during an edit loses no input and reveals none [e2e-86]', async ({
  signedInPage: page,
  creator,
}) => {
  const other = await makeCreator();
  await page.clock.install();
  await page.goto('/dashboard/add-offering');
  await fillOffering(page, 'Typed before midnight 🌒');
  await expireSession(page, creator);
  await page.getByRole('button', { name: 'Create Offering' }).click();
  await expect(page.getByText('You must be logged in to create an offering.')).toBeVisible();
  await expect(page.getByLabel('Title')).toHaveValue('Typed before midnight 🌒');

  await page.getByRole('button', { name: 'Log In Again' }).click();
  await logIn(page, other);
  await expect(page).toHaveURL('/dashboard/add-offering');
  await expect(page.getByLabel('Title')).toHaveValue('');
  await page.getByRole('button', { name: 'Log Out' }).click();
  await expect(page).toHaveURL('/');

  await page.goto('/dashboard/add-offering');
  await logIn(page, creator);
  await expect(page.getByLabel('Title')).toHaveValue('Typed before midnight 🌒');
  await expect(page.getByText('What you typed before is here again.')).toBeVisible();
  await page.getByRole('button', { name: 'Create Offering' }).click();
  await expect(page).toHaveURL('/dashboard');
  await expect(page.getByRole('heading', { name: 'Your Offerings (1)' })).toBeVisible();
});

test('logging out on a page with an expired session leads to the home page', async ({
  signedInPage: page,
  creator,
}) => {
  const visited: string[] = [];
  page.on('framenavigated', (frame) => frame === page.mainFrame() && visited.push(frame.url()));
  await page.clock.install();
  await page.goto('/dashboard/edit-profile');
  await page.getByLabel('Bio').fill('x');
  await expireSession(page, creator);
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expect(page.getByText('Your session has ended.').first()).toBeVisible();
  visited.length = 0;
  await page.getByRole('button', { name: 'Log Out' }).click();
  await question(page).getByRole('button', { name: 'Leave' }).click();
  await expect(page.getByRole('link', { name: 'Log In', exact: true })).toBeVisible();
  expect(new Set(visited.map((url) => new URL(url).pathname))).toEqual(new Set(['/']));
});

test('logging out in one tab logs out the other, whose input is restored after a login [e2e-87]', async ({
  dashboardPage: page,
  creator,
}) => {
  const other = await page.context().newPage();
  await other.goto('/dashboard/edit-profile');
  await other.getByLabel('Bio').fill('Half a sentence');
  await page.getByRole('button', { name: 'Log Out' }).click();
  await expect(page).toHaveURL('/');
  await expect(other.getByRole('heading', { name: 'You are logged out' })).toBeVisible();
  await other.getByRole('button', { name: 'Log In Again' }).click();
  await logIn(other, creator);
  await expect(other).toHaveURL('/dashboard/edit-profile');
  await expect(other.getByLabel('Bio')).toHaveValue('Half a sentence');
});

test('the back button and a reload ask about unsaved changes', async ({ dashboardPage: page }) => {
  await page.getByRole('link', { name: 'Edit Profile' }).click();
  await page.getByLabel('Bio').fill('Half a sentence');
  await page.evaluate(() => history.back());
  await question(page).getByRole('button', { name: 'Stay' }).click();
  await expect(page).toHaveURL('/dashboard/edit-profile');
  await expect(page.getByLabel('Bio')).toHaveValue('Half a sentence');

  const asked = page.waitForEvent('dialog');
  const reloading = page.reload({ timeout: 3_000 }).catch(() => undefined);
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  await reloading;
  await expect(page.getByLabel('Bio')).toHaveValue('Half a sentence');

  await page.evaluate(() => history.back());
  await question(page).getByRole('button', { name: 'Leave' }).click();
  await expect(page).toHaveURL('/dashboard');
});

test('the back button also asks about unsaved changes after a link within the page', async ({
  signedInPage: page,
}) => {
  await page.goto('/');
  // Waits for the router. Before that, the browser would follow the link itself, and the router could not count the step.
  await settled(page);
  await page.getByRole('link', { name: 'Discover Creators' }).click();
  await expect(page).toHaveURL('/#featured');
  await page.getByRole('banner').getByRole('link', { name: 'Dashboard' }).click();
  await page.getByRole('link', { name: 'Edit Profile' }).click();
  await page.getByLabel('Bio').fill('Half a sentence');
  await page.evaluate(() => history.go(-2));
  await question(page).getByRole('button', { name: 'Stay' }).click();
  await expect(page).toHaveURL('/dashboard/edit-profile');
  await expect(page.getByLabel('Bio')).toHaveValue('Half a sentence');

  await page.getByRole('link', { name: 'Skip to content' }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/dashboard/edit-profile#main');
  await page.evaluate(() => history.back());
  await expect(page).toHaveURL('/dashboard/edit-profile');
  await expect(question(page)).toHaveCount(0);
  await page.evaluate(() => history.go(-2));
  await question(page).getByRole('button', { name: 'Leave' }).click();
  await expect(page).toHaveURL('/#featured');
});

test('text can be dropped into a field, a file beside its field cannot', async ({ signedInPage: page }) => {
  await page.goto('/dashboard/edit-profile');
  const bio = page.getByLabel('Bio');
  const refused = (kind: 'text' | 'file') =>
    bio.evaluate((field, what) => {
      const dataTransfer = new DataTransfer();
      if (what === 'text') dataTransfer.setData('text/plain', 'Dropped words');
      else dataTransfer.items.add(new File(['x'], 'x.txt'));
      const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
      return !field.dispatchEvent(event);
    }, kind);
  expect(await refused('text')).toBe(false);
  expect(await refused('file')).toBe(true);
});

test('an offering deleted in another tab is also deleted in this one', async ({
  signedInPage: page,
  creator,
}) => {
  const { id, title } = await makeOffering(creator.token);
  await page.goto('/dashboard');
  const remove = page.getByRole('button', { name: `Delete ${title}` });
  await expect(remove).toBeVisible();
  expect((await fetchApi('DELETE', `/api/offerings/${id}`, { token: creator.token })).ok).toBe(true);
  await remove.click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Offering deleted successfully!', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Your Offerings (0)' })).toBeVisible();
});

test('a creator at the offering limit sees an error and keeps the input [e2e-88]', async ({
  signedInPage: page,
  creator,
}) => {
  const { id } = await makeOffering(creator.token);
  await updateRow(
    'offerings',
    `WITH made AS (
       INSERT INTO offering SELECT (jsonb_populate_record(offering, jsonb_build_object('id', gen_random_uuid()))).*
         FROM offering, generate_series(1, 99) WHERE id = $1::uuid RETURNING id)
     SELECT count(*) FROM made`,
    [id],
  );
  await page.goto('/dashboard/add-offering');
  await fillOffering(page, 'One too many');
  await page.getByRole('button', { name: 'Create Offering' }).click();
  await expect(page.getByText(/You have 100 offerings, .* delete one on your dashboard/)).toBeVisible();
  await expect(page.getByLabel('Title')).toHaveValue('One too many');
});

test('a save while offline shows an error, keeps input and focus, and succeeds later [e2e-89]', async ({
  signedInPage: page,
}) => {
  await page.goto('/dashboard/edit-profile');
  await page.getByLabel('Bio').fill('Typed in a tunnel');
  await page.context().setOffline(true);
  await page.getByLabel('Display Name').press('Enter');
  await expect(page.getByText('Failed to update profile. You are offline.')).toBeInViewport();
  await expect(page.getByRole('button', { name: 'Save Profile' })).toBeFocused();
  await expect(page.getByLabel('Bio')).toHaveValue('Typed in a tunnel');
  await page.context().setOffline(false);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Profile updated successfully!')).toBeVisible();
  await expect(page).toHaveURL('/dashboard');
});

test('a double click creates one offering [e2e-90]', async ({ signedInPage: page, creator }) => {
  await page.goto('/dashboard/add-offering');
  await fillOffering(page, 'Once only');
  await page.getByRole('button', { name: 'Create Offering' }).dblclick();
  const count = async () => {
    const response = await fetchApi('GET', '/api/me/offerings', { token: creator.token });
    return ((await response.json()) as { items: unknown[] }).items.length;
  };
  await expect(page.getByRole('heading', { name: 'Your Offerings (1)' })).toBeVisible();
  expect(await count()).toBe(1);
});

test('a retry after a lost response creates one offering with the last input', async ({
  signedInPage: page,
  creator,
}) => {
  await page.goto('/dashboard/add-offering');
  await fillOffering(page, 'First words');
  // The server creates the offering, but its response gets lost.
  let lost = 0;
  await page.route('**/api/offerings', async (route) => {
    if (route.request().method() !== 'POST' || lost > 0) return route.continue();
    lost += 1;
    expect((await route.fetch()).status()).toBe(201);
    return route.abort('connectionreset');
  });
  const create = page.getByRole('button', { name: 'Create Offering' });
  await create.click();
  await expect(page.getByText('Failed to create offering. Please try again.')).toBeVisible();
  expect(lost).toBe(1);
  await page.getByLabel('Title').fill('Last words');
  await create.click();
  await expect(page.getByRole('heading', { name: 'Your Offerings (1)' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Last words' })).toBeVisible();
  const response = await fetchApi('GET', '/api/me/offerings', { token: creator.token });
  expect(((await response.json()) as { items: unknown[] }).items).toMatchObject([{ title: 'Last words' }]);
});

/** Delays uploads to the object store until `release`, as a slow connection does. */
async function holdUploads(page: Page): Promise<() => void> {
  const gate = Promise.withResolvers<undefined>();
  await page.route(`${theSystem().minio.publicEndpoint}/**`, async (route) => {
    if (route.request().method() === 'POST') await gate.promise;
    await route.continue().catch(() => undefined);
  });
  return () => gate.resolve(undefined);
}

test('a save waits for a slow upload and is cancelled together with it', async ({
  signedInPage: page,
  creator,
}) => {
  const bio = async () => (await fetchJson<Creator>('GET', '/api/me', { token: creator.token })).bio;
  const before = await bio();
  await page.goto('/dashboard/edit-profile');
  await page.getByLabel('Bio').fill('With a picture');
  await holdUploads(page);
  await page.getByLabel('Profile Picture').setInputFiles(await randomPhoto(square));
  await expect(page.getByRole('progressbar', { name: 'Upload' })).toBeVisible();
  await expect(page.getByRole('img', { name: 'Preview of the chosen file' })).toBeVisible();
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expect(page.getByRole('button', { name: 'Saving...' })).toBeDisabled();
  await expect(page.getByText(/^Uploading .* of .*, then saving\.$/)).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('button', { name: 'Save Profile' })).toBeEnabled();
  await expect(page.getByLabel('Bio')).toHaveValue('With a picture');
  expect(await bio()).toBe(before);
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expect(page.getByText('Profile updated successfully!')).toBeVisible();
  expect(await bio()).toBe('With a picture');
});

test('a save that waits for an upload can be cancelled, and the upload continues', async ({
  signedInPage: page,
}) => {
  await page.goto('/dashboard/edit-profile');
  const letGo = await holdUploads(page);
  await page.getByLabel('Profile Picture').setInputFiles(await randomPhoto(square));
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await page.getByRole('button', { name: 'Keep Editing' }).click();
  await expect(page.getByRole('button', { name: 'Save Profile' })).toBeEnabled();
  await expect(page.getByRole('progressbar', { name: 'Upload' })).toBeVisible();
  letGo();
  await expect(page.getByRole('img', { name: 'Current picture' })).toBeVisible();
});

test('a slow upload completes before the waiting save', async ({ signedInPage: page, creator }) => {
  await page.goto('/dashboard/edit-profile');
  const letGo = await holdUploads(page);
  await page.getByLabel('Profile Picture').setInputFiles(await randomPhoto(square));
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expect(page.getByRole('button', { name: 'Saving...' })).toBeDisabled();
  letGo();
  await expect(page.getByText('Profile updated successfully!')).toBeVisible();
  const me = (await (await fetchApi('GET', '/api/me', { token: creator.token })).json()) as {
    profileImage: unknown;
  };
  expect(me.profileImage).not.toBeNull();
});

test('leaving during an upload asks for confirmation', async ({ signedInPage: page }) => {
  await page.goto('/dashboard/edit-profile');
  await holdUploads(page);
  await page.getByLabel('Profile Picture').setInputFiles(await randomPhoto(square));
  await expect(page.getByRole('progressbar', { name: 'Upload' })).toBeVisible();
  await page.getByRole('link', { name: 'About Us' }).click();
  await question(page).getByRole('button', { name: 'Leave' }).click();
  await expect(page).toHaveURL('/about');
});

test('a picture can be dropped into its field, which reports an invalid one [e2e-91]', async ({
  signedInPage: page,
}) => {
  await page.goto('/dashboard/edit-profile');
  const drop = async (mimeType: string, content: Buffer, padding = 0) => {
    const transfer = await page.evaluateHandle(
      ([type, base64, more]) => {
        const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
        const data = new DataTransfer();
        data.items.add(new File([bytes, new Uint8Array(more)], 'dropped', { type }));
        return data;
      },
      [mimeType, content.toString('base64'), padding] as const,
    );
    await page.getByLabel('Profile Picture').dispatchEvent('drop', { dataTransfer: transfer });
  };
  const { mimeType, buffer } = await randomPhoto({ width: 300, height: 300 });
  await drop(mimeType, buffer, 2 * 1024 * 1024 + 1 - buffer.length);
  await page
    .getByRole('dialog', { name: 'Crop Your Picture' })
    .getByRole('button', { name: 'Cancel' })
    .click();
  await expect(page.getByRole('alert').getByText('Profile picture must be smaller than 2MB.')).toBeVisible();
  await expect(page.getByLabel('Profile Picture')).toHaveAttribute('aria-invalid', 'true');
  await drop('text/plain', Buffer.from('hello'));
  await expect(page.getByRole('alert').getByText('Choose a JPEG, PNG, WebP or AVIF picture.')).toBeVisible();
  // This message comes from the server, because only the server decodes the picture.
  await drop(mimeType, buffer.subarray(0, buffer.length / 2));
  await expect(page.getByRole('alert').getByText('This picture is damaged or cut off')).toBeVisible();
  await drop(mimeType, buffer);
  await expect(page.getByRole('img', { name: 'Current picture' })).toBeVisible();
  await expect(page.getByText('Profile picture must be smaller than 2MB.')).toHaveCount(0);
});

test('only complete payment links are saved, and an incomplete one shows a hint', async ({
  signedInPage: page,
  creator,
}) => {
  await page.goto('/dashboard/edit-profile');
  const add = page.getByRole('button', { name: 'Add Payment Link' });
  await add.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type('PayPal');
  await page.keyboard.press('Tab');
  await page.keyboard.type('https://paypal.example.com/x');
  await add.click();
  await page.keyboard.type('Half');
  await expect(page.getByText('Add a link, or this row is not saved.')).toBeVisible();
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expect(page.getByText('Profile updated successfully!')).toBeVisible();
  const me = (await (await fetchApi('GET', '/api/me', { token: creator.token })).json()) as {
    paygates: unknown;
  };
  expect(me.paygates).toEqual([{ name: 'PayPal', url: 'https://paypal.example.com/x' }]);
});

test('pasting a very long text does not freeze the editor', async ({ signedInPage: page }) => {
  await page.goto('/dashboard/add-offering');
  await page.getByLabel('Description').fill('A long book. '.repeat(100_000));
  await expect(page.getByText('More than 1000 / 1000 characters')).toBeVisible();
  await page.getByRole('button', { name: 'Create Offering' }).click();
  await expect(page.getByText('Must be at most 1000 characters.', { exact: true })).toBeVisible();
});

test('leaving the contact form asks about unsaved changes', async ({ page }) => {
  await page.goto('/contact');
  await page.getByLabel('Message').fill('Do you');
  await page.getByRole('link', { name: 'About Us' }).click();
  await question(page).getByRole('button', { name: 'Stay' }).click();
  // The dialog is open, so the keys must not reach the message field.
  await expect(question(page)).toHaveCount(0);
  await expect(page.getByLabel('Message')).toHaveValue('Do you');
  await page.context().setOffline(true);
  await page.getByLabel('Name').fill('Thandi');
  await page.getByLabel('Email').fill('thandi@example.test');
  await page.getByLabel('Subject').fill('Hello');
  await page.getByRole('button', { name: 'Send Message' }).click();
  await expect(page.getByText('Oops! There was a problem submitting your form.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send Message' })).toBeFocused();
  await expect(page.getByLabel('Message')).toHaveValue('Do you');
});
