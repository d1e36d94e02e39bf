import { deliveryKeyHeader, type Download as DownloadFacts, type Offering } from '@stoa/contracts';
import { expectAccessible } from '../src/accessibility/expect-accessible.ts';
import { fetchJson, fetchApi, expectProblem } from '../src/api.ts';
import { makeCreator, makeOffering } from '../src/creators.ts';
import { inAnonymousBrowser, download, makeOfferingWithFile, offeringNotFound } from '../src/delivery.ts';
import { randomFile } from '../src/files.ts';
import { logLines } from '../src/logs.ts';
import { logIn } from '../src/sign-in.ts';
import { theSystem } from '../src/system.ts';
import { expect, test } from '../src/test.ts';

test('a buyer without an account gets a file through the delivery link [e2e-79]', async ({
  signedInPage: page,
  creator,
  context,
  browser,
}) => {
  const file = randomFile(3_000_000);
  const { id } = await makeOffering(creator.token, { title: 'A book of letters' });
  let link = '';

  await test.step('upload on the edit page, with progress', async () => {
    // The upload waits here until the test has seen its progress.
    const { promise: seen, resolve: go } = Promise.withResolvers<boolean>();
    await page.route(`${theSystem().minio.publicEndpoint}/**`, async (route) => {
      await seen;
      await route.continue();
    });
    await page.goto(`/dashboard/edit-offering/${id}`);
    await page.getByLabel('Downloadable File').setInputFiles(file);
    await expect(page.getByRole('progressbar', { name: 'Upload of the file' })).toBeVisible();
    await expect(page.getByText(file.name)).toBeVisible();
    await expect(page.getByText('2.9 MB', { exact: true })).toBeVisible();
    go(true);
    await expect(page.getByRole('button', { name: 'Remove file' })).toBeVisible();
    await page.unroute(`${theSystem().minio.publicEndpoint}/**`);
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect(page.getByText('Offering updated successfully!')).toBeVisible();
    await expect(page).toHaveURL('/dashboard');
  });

  await test.step('copy the link', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`/dashboard/edit-offering/${id}`);
    await expect(page.getByText(file.name)).toBeVisible();
    await expect(page.getByText('Paste this link into your payment provider’s thank-you')).toBeVisible();
    await page.getByRole('button', { name: 'Copy link' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'Link copied.' })).toBeVisible();
    link = await page.evaluate(() => navigator.clipboard.readText());
    expect(link).toBe(await page.getByLabel('Delivery link').inputValue());
    expect(link).toContain(`${theSystem().siteUrl}/download/${creator.uid}/${id}#key=`);
  });

  await inAnonymousBrowser(browser, async (buyer) => {
    const referers: string[] = [];
    const addresses: string[] = [];
    buyer.on('request', (request) => {
      referers.push(request.headers().referer ?? '');
      addresses.push(request.url());
    });
    await buyer.goto(link);
    await expect(buyer.getByRole('heading', { name: 'A book of letters' })).toBeVisible();
    await expect(buyer.getByText('Thank you for supporting an independent creator.')).toBeVisible();
    await expect(buyer.getByText(`${file.name} · 2.9 MB`)).toBeVisible();
    const { name, bytes } = await download(buyer);
    expect(name).toBe(file.name);
    expect(bytes.equals(file.buffer), 'the same bytes').toBe(true);
    expect(referers.filter(Boolean), 'the URL with the key is not sent').toEqual([]);
    const key = link.split('#key=')[1] ?? '';
    // The key is in the fragment of the page's address, which browsers do not send to servers.
    expect(addresses.filter((address) => address.includes(key) && address !== link)).toEqual([]);
    await expect(buyer.getByRole('link', { name: 'Log In' }).first()).toBeVisible();
  });

  const key = new URL(link).hash.replace('#key=', '');
  expect(key).toMatch(/^[\w-]{32}$/);
  const logged = logLines();
  expect(logged.map(({ app }) => app)).toContain('gateway');
  expect(logged.filter(({ text }) => text.includes(key))).toEqual([]);
});

test('an old delivery link works, and the page removes the key from the query', async ({ page, creator }) => {
  const { offering, page: path } = await makeOfferingWithFile(creator, randomFile());
  const key = offering.deliveryKey;
  const heading = page.getByRole('heading', { name: 'A book of letters' });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto('/about');
  // Payment providers add parameters such as `session_id` to the address.
  await page.goto(`${path}?key=${key}&session_id=cs_1`);
  await expect(heading).toBeVisible();
  await expect(page).toHaveURL(`${path}#key=${key}`);
  const [document, ...rest] = asked.filter((address) => address.includes(key));
  expect([document, rest]).toEqual([expect.stringContaining(`?key=${key}`), []]);

  await page.reload();
  await expect(heading).toBeVisible();
  await page.getByRole('link', { name: 'Skip to content' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await expect(page).toHaveURL(`${path}#key=${key}`);
  await page.getByRole('link', { name: 'Back to Home' }).click();
  await expect(page).toHaveURL('/');
  await page.goBack();
  await expect(heading).toBeVisible();
  await expect(page.getByRole('link', { name: 'Download Now (eBook)' })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL('/about');
});

test('an open page accepts another key in its address', async ({ page, creator }) => {
  const { offering, page: path } = await makeOfferingWithFile(creator, randomFile());
  await page.goto(`${path}#key=wrong`);
  await expect(page.getByText(offeringNotFound)).toBeVisible();
  await page.goto(`${path}#key=${offering.deliveryKey}`);
  await expect(page.getByRole('link', { name: 'Download Now (eBook)' })).toBeVisible();
});

test('a wrong key is shown as an unknown offering', async ({ page, creator }) => {
  const { offering, page: path } = await makeOfferingWithFile(creator, randomFile());
  const missing = `/download/${creator.uid}/${crypto.randomUUID()}`;
  for (const address of [`${path}#key=wrong`, `${missing}#key=${offering.deliveryKey}`]) {
    await page.goto(address);
    await expect(page.getByRole('heading', { name: 'An Error Occurred' })).toBeVisible();
    await expect(page.getByText(offeringNotFound)).toBeVisible();
  }
  const answers = await Promise.all(
    [path, missing].map(async (address) => {
      const headers = { [deliveryKeyHeader]: 'wrong' };
      const { traceId: _, ...problem } = await expectProblem(
        await fetchApi('GET', `/api${address.replace('download', 'downloads')}`, { headers }),
        404,
      );
      return problem;
    }),
  );
  expect(answers[0]).toEqual(answers[1]);
});

test('the download page asks to log in, then shows the owner the file [e2e-80]', async ({
  page,
  creator,
}) => {
  const file = randomFile();
  const { page: path } = await makeOfferingWithFile(creator, file);
  await page.goto(path);
  const owner = page.getByRole('button', { name: 'I Am the Creator: Log In' });
  await expect(owner).toBeVisible();
  // Most visitors of this page are buyers who have lost their key, so the page names the seller.
  const ask = page.getByRole('link', { name: `Ask ${creator.displayName}` });
  await expect(ask).toHaveAttribute('href', `/profile/${creator.username}/contact`);
  await expectAccessible(page, 'download-lost-key');
  await owner.click();
  await logIn(page, creator);
  await expect(page).toHaveURL(path);
  await expect(page.getByRole('heading', { name: 'A book of letters' })).toBeVisible();
  expect((await download(page)).bytes.equals(file.buffer)).toBe(true);
  await page.getByRole('link', { name: 'Back to Home' }).click();
  await expect(page).toHaveURL('/');
});

test('a replaced key shows the seller, and the key of a draft does not [e2e-81]', async ({
  page,
  creator,
}) => {
  const { offering, page: path } = await makeOfferingWithFile(creator, randomFile());
  await fetchApi('POST', `/api/offerings/${offering.id}/delivery-key`, { token: creator.token });
  await page.goto(`${path}#key=${offering.deliveryKey}`);
  await page.getByRole('link', { name: `Ask ${creator.displayName}` }).click();
  await expect(page).toHaveURL(`/profile/${creator.username}/contact`);
  const draft = await makeOffering(creator.token, { state: 'draft' });
  await page.goto(`/download/${creator.uid}/${draft.id}#key=wrong`);
  await expect(page.getByRole('link', { name: 'Find the Creator' })).toBeVisible();
});

test('a buyer finds the list of creators if the chunk for sellers is lost', async ({ page, creator }) => {
  const { page: path } = await makeOfferingWithFile(creator, randomFile());
  await page.route('**/assets/whom-to-ask-*.js', (route) => route.fulfill({ status: 404, body: '' }));
  await page.goto(`${path}#key=wrong`);
  await page.getByRole('link', { name: 'Find the Creator' }).click();
  await expect(page).toHaveURL('/browse-creators');
});

test('another signed-in creator sees that the file needs the link', async ({ signedInPage: page }) => {
  const other = await makeCreator();
  const { offering, page: path } = await makeOfferingWithFile(other, randomFile());
  await page.goto(path);
  await expect(page.getByRole('heading', { name: 'A book of letters' })).toBeVisible();
  await expect(page.getByText('This download opens with the link that you got after paying.')).toBeVisible();
  await expect(page.getByRole('link', { name: /Download Now/ })).toHaveCount(0);
  await page.goto(`${path}#key=${offering.deliveryKey}`);
  await expect(page.getByRole('link', { name: 'Download Now (eBook)' })).toBeVisible();
});

test('the download page of an offering without a file shows that [e2e-82]', async ({ page, creator }) => {
  const { id, deliveryKey } = await makeOffering(creator.token);
  await page.goto(`/download/${creator.uid}/${id}#key=${deliveryKey}`);
  await expect(page.getByText('No downloadable file is associated with this offering.')).toBeVisible();
  await expect(page.getByText('If you have not heard from them, ask with “Contact Me”')).toBeVisible();
  await page.getByRole('link', { name: creator.displayName, exact: true }).click();
  await expect(page).toHaveURL(`/profile/${creator.username}`);
});

test('a page left open for an hour downloads with a fresh link', async ({ page, creator }) => {
  const file = randomFile();
  const { offering, page: path } = await makeOfferingWithFile(creator, file);
  await page.clock.install();
  await page.goto(`${path}#key=${offering.deliveryKey}`);
  await expect(page.getByRole('link', { name: 'Download Now (eBook)' })).toBeVisible();
  await page.clock.fastForward('01:00:00');
  const asked = page.waitForResponse((response) => response.url().includes('/api/downloads/'));
  const { bytes } = await download(page);
  expect(((await (await asked).json()) as DownloadFacts).mediaUrl).toContain('X-Amz-Signature');
  expect(bytes.equals(file.buffer)).toBe(true);
});

test('replacing or removing a file revokes its links', async ({ signedInPage: page, creator }) => {
  const [first, second] = [randomFile(1000, 'first.zip'), randomFile(1000, 'second.html')];
  const { offering } = await makeOfferingWithFile(creator, first);
  const read = () => fetchJson<Offering>('GET', `/api/offerings/${offering.id}`, { token: creator.token });
  const { uid, token } = creator;
  const facts = await fetchJson<DownloadFacts>('GET', `/api/downloads/${uid}/${offering.id}`, { token });

  const edit = async (change: () => Promise<void>) => {
    await page.goto(`/dashboard/edit-offering/${offering.id}`);
    await change();
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect(page).toHaveURL('/dashboard');
  };
  await edit(async () => {
    await page.getByLabel('Another version of first.zip').setInputFiles(second);
    await expect(page.getByText('first.zip')).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Remove file' })).toBeVisible();
  });
  expect((await read()).files).toMatchObject([{ filename: 'second.html', size: 1000 }]);
  await expect.poll(async () => (await fetch(facts.mediaUrl ?? '')).status).toBe(404);

  // The server sends HTML files as downloads, so that they never become a page of the site.
  await page.goto(`/download/${uid}/${offering.id}`);
  const { name, bytes } = await download(page);
  expect([name, bytes.equals(second.buffer)]).toEqual(['second.html', true]);

  await edit(() => page.getByRole('button', { name: 'Remove file' }).click());
  expect((await read()).files).toEqual([]);
});

test('an invalid download link shows an error', async ({ signedInPage: page, creator }) => {
  const cases = [
    ['/download', 'Invalid request link.'],
    [`/download/${creator.uid}`, 'Invalid request link.'],
    ['/download/nonsense/nonsense', 'Invalid request link.'],
    [`/download/${creator.uid}/${crypto.randomUUID()}`, offeringNotFound],
  ] as const;
  for (const [path, words] of cases) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: 'An Error Occurred' })).toBeVisible();
    await expect(page.getByText(words)).toBeVisible();
    await expect(page.getByRole('link', { name: 'Back to Home' })).toBeVisible();
  }
});
