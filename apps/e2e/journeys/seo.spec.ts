import { fetchJson, fetchApi } from '../src/api.ts';
import { makeCreator, makeOffering, offeringFields, saveProfile, upload } from '../src/creators.ts';
import { untilPageIs, untilPageIsComplete, untilPageShows } from '../src/navigation.ts';
import { pageCode } from '../src/page-code.ts';
import { readSitemap } from '../src/sitemap.ts';
import { theSystem } from '../src/system.ts';
import { expect, test } from '../src/test.ts';

const hostile = [
  '</script></noscript></title><h1>mine</h1>',
  `"><img src=x onerror="document.title='mine'">`,
  '$& $1 $` <!--config-->',
  "זואי 🧑🏽‍🎨 “quoted” & 'single'",
];

const text = async (path: string) => (await fetchApi('GET', path)).text();
const meta = (html: string, name: string) =>
  new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(html)?.[1];

test('markup in a name stays text everywhere (XSS) [e2e-144]', async ({ page }) => {
  const { token, username } = await makeCreator();
  for (const [index, displayName] of hostile.entries()) {
    // The name must not contain the site's own, so the bio contains the placeholder that the server replaces in each page.
    await saveProfile(token, { displayName, bio: `${displayName} <!--stoa-config--> Name ${index}.` });
    await untilPageShows(`/profile/${username}`, `Name ${index}.`);
    await page.goto(`/profile/${username}`);
    await expect(page.getByRole('heading', { level: 1, name: displayName })).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
    await expect(page).toHaveTitle(`${displayName.replace(/\s+/g, ' ')} · Stoa`);
    await expect(page.locator('meta[property="og:title"]')).toHaveAttribute(
      'content',
      `${displayName} (@${username}) · Stoa`,
    );
    const facts = await page.locator('script[type="application/ld+json"]').textContent();
    expect(JSON.parse(facts ?? '')).toMatchObject({ mainEntity: { name: displayName } });
  }
});

/** Reads the size of a JPEG from its frame header. */
function jpegSize(bytes: Buffer): { width: number; height: number } | undefined {
  if (bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  for (let at = 2; at < bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes.readUInt16BE(at);
    if (marker === 0xffc0 || marker === 0xffc2)
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
  }
  return undefined;
}

test('the card of the link preview changes with an edit [e2e-145]', async ({ request }) => {
  const { token, username } = await makeCreator();
  const { slug, title } = await makeOffering(token);
  const cardOf = async (path: string) => {
    const address = (meta(await text(path), 'og:image') ?? '').replaceAll('&amp;', '&');
    const answer = await request.get(address);
    expect(answer.status(), address).toBe(200);
    const bytes = await answer.body();
    expect(answer.headers()['content-type']).toBe('image/jpeg');
    expect(jpegSize(bytes)).toEqual({ width: 1200, height: 630 });
    return bytes.toString('base64');
  };
  await expect.poll(() => text(`/profile/${username}`)).toContain(title);
  const before = await cardOf(`/profile/${username}`);
  const offering = await cardOf(`/profile/${username}/${slug}`);
  expect(offering).not.toBe(before);
  const displayName = 'Another name';
  await saveProfile(token, { displayName });
  await expect.poll(() => text(`/profile/${username}`)).toContain(displayName);
  expect(await cardOf(`/profile/${username}`)).not.toBe(before);
  expect((await fetchApi('GET', `/api/creators/${username}/offerings/no-such-one/card.jpg`)).status).toBe(
    404,
  );
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('a profile is complete [e2e-146]', async ({ page }) => {
    const { token, username, email } = await makeCreator();
    const displayName = hostile[0] ?? '';
    await saveProfile(token, {
      displayName,
      bio: 'Ink, slowly.\nAnd paper.',
      niches: ['Poet', 'Coach'],
      paygates: [{ name: hostile[1] ?? '', url: 'https://paypal.example.com/x?a=1&b="2"' }],
      socialLinks: { youtube: null, tiktok: 'https://www.tiktok.com/x', instagram: null },
      profileImageId: (await upload(token, 'profile-picture')).id,
    });
    await expect.poll(() => text(`/profile/${username}`)).toContain('Ink, slowly.');
    await page.goto(`/profile/${username}`);
    const profile = page.getByRole('main');
    await expect(profile.getByRole('heading', { level: 1, name: displayName })).toBeVisible();
    await expect(profile).toContainText('This creator has not added any offerings yet.');
    const picture = profile.getByRole('img', { name: displayName });
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
    await expect(profile.getByRole('list', { name: 'Niches' }).getByRole('listitem')).toHaveText([
      'Poet',
      'Coach',
    ]);
    const links = profile.getByRole('link');
    const addresses = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(addresses).toEqual([
      '/browse-creators?niche=Poet',
      '/browse-creators?niche=Coach',
      'https://www.tiktok.com/x',
      'https://paypal.example.com/x?a=1&b=%222%22',
      `mailto:${email}`,
      `/report?page=/profile/${username}`,
    ]);
    await expect(profile.getByRole('link', { name: hostile[1] })).toBeVisible();
    const bio = profile.getByText('Ink, slowly.', { exact: false });
    expect(await bio.evaluate((element) => getComputedStyle(element).whiteSpace)).toBe('pre-line');

    const { title, paymentUrl } = await makeOffering(token);
    await saveProfile(token, { displayName, contactBy: 'form' });
    await expect.poll(() => text(`/profile/${username}`)).toContain(title);
    await untilPageShows(`/profile/${username}`, `href="/profile/${username}/contact"`);
    await page.goto(`/profile/${username}`);
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Access Now' })).toHaveAttribute('href', paymentUrl);
    await expect(page.getByRole('link', { name: 'Contact Me' })).toHaveAttribute(
      'href',
      `/profile/${username}/contact`,
    );
    await expect(page.getByRole('main')).not.toContainText('has not added any offerings');
  });

  test('the pages without data are complete [e2e-147]', async ({ page }) => {
    for (const [path, heading, last] of [
      ['/', 'A place of your own for the work you make.', 'Read Our Story'],
      ['/about', 'A roof over the work', 'Get Early Access'],
      ['/privacy', 'Privacy Policy', '30 days'],
      ['/terms-of-service', 'Terms of Service', 'ZAR 100'],
      ['/community-guidelines', 'Community Guidelines', 'Terms of Service'],
      ['/help-feedback', 'Help & Feedback', 'Write to Us'],
      ['/contact', 'Contact us', 'Message'],
    ] as const) {
      await page.goto(path);
      const main = page.getByRole('main');
      await expect(main.getByRole('heading', { level: 1 }), path).toContainText(heading);
      const words = await main.innerText();
      expect(words, path).toContain(last);
      expect(words.split(/\s+/).length, path).toBeGreaterThan(path === '/contact' ? 20 : 150);
      await expect(page.getByText(/JavaScript/), path).toHaveCount(0);
      // Without scripts the page must show no button that needs them.
      await expect(page.getByRole('button'), path).toHaveCount(path === '/contact' ? 1 : 0);
      await expect(page.getByRole('slider'), path).toHaveCount(0);
      await expect(page.getByRole('searchbox'), path).toHaveCount(0);
      // The menu works without scripts, even on a phone.
      await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link'), path).toHaveCount(5);
    }
    const featured = page.getByRole('region', { name: 'Featured creators' });
    // Loads the page again until the data is there, because without scripts a page cannot load late data.
    await expect(async () => {
      await page.goto('/');
      await expect(featured.getByRole('article')).toHaveCount(5, { timeout: 1000 });
    }).toPass();
  });

  test('the list of creators is complete, also with unknown query parameters', async ({ page }) => {
    test.slow();
    let healer = '';
    for (const path of ['/browse-creators', '/browse-creators?fbclid=x', '/browse-creators?niche=Healer'])
      // The list shows the newest creators first. Other tests may fill the first page, so each attempt creates a new one.
      await expect(async () => {
        const { token, username, displayName } = await makeCreator();
        await saveProfile(token, { displayName, niches: ['Healer'] });
        await untilPageShows(path, `/profile/${username}"`, 15_000);
        await page.goto(path);
        await expect(page.getByRole('heading', { level: 1, name: 'Browse Creators' })).toBeVisible();
        await expect(page.getByRole('link', { name: displayName })).toHaveAttribute(
          'href',
          `/profile/${username}`,
          { timeout: 1000 },
        );
        const facts = await page.locator('script[type="application/ld+json"]').textContent();
        expect(facts).toContain(`${theSystem().siteUrl}/profile/${username}"`);
        healer = displayName;
      }, path).toPass();
    await expect
      .poll(() => text('/browse-creators?niche=Musician'))
      .toMatch(/aria-pressed="true"[^>]*>Musician/);
    await page.goto('/browse-creators?niche=Musician');
    await expect(page.getByRole('heading', { level: 1, name: 'Browse Creators' })).toBeVisible();
    await expect(page.getByRole('link', { name: healer })).toHaveCount(0);
  });
});

test('clicks and typing before hydration are replayed', async ({ page }) => {
  const { username, displayName } = await makeCreator();
  const release = Promise.withResolvers<void>();
  await page.route(pageCode, async (route) => {
    await release.promise;
    await route.continue();
  });
  await page.goto('/browse-creators', { waitUntil: 'commit' });
  await page.getByRole('searchbox', { name: 'Search creators' }).fill(displayName);
  await page.getByRole('button', { name: 'Dark theme' }).click();
  release.resolve();
  await expect(page).toHaveURL((url) => url.searchParams.get('search') === displayName);
  await expect(page.getByRole('link', { name: displayName })).toHaveAttribute('href', `/profile/${username}`);
  await expect(page.getByRole('button', { name: 'Dark theme' })).toHaveAttribute('aria-pressed', 'true');
});

test('an offering has its own page, and its old slug redirects there [e2e-148]', async ({ page }) => {
  const { token, username, displayName } = await makeCreator();
  const { id, slug, title, paymentUrl } = await makeOffering(token, {
    description: 'One a month.\n\nBy hand.',
  });
  const { title: other } = await makeOffering(token);
  await page.goto(`/profile/${username}`);
  await page.getByRole('link', { name: title, exact: true }).click();
  await expect(page).toHaveURL(`/profile/${username}/${slug}`);
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await expect(page.getByRole('paragraph').filter({ hasText: /^(One a month|By hand)\.$/ })).toHaveText([
    'One a month.',
    'By hand.',
  ]);
  await expect(page.getByRole('link', { name: /^Access Now/ })).toHaveAttribute('href', paymentUrl);
  await expect(
    page.getByRole('region', { name: /^More from/ }).getByRole('link', { name: other }),
  ).toBeVisible();

  const renamed = { ...offeringFields(), title: 'Renamed since' };
  await fetchJson('PUT', `/api/offerings/${id}`, { token, body: renamed });
  await untilPageIs(`/profile/${username}/${slug}`, 301);
  await page.goto(`/profile/${username}/${slug}`);
  await expect(page).toHaveURL(`/profile/${username}/renamed-since`);
  await expect(page).toHaveTitle('Renamed since · Stoa');
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: displayName }).click();
  await expect(page).toHaveURL(`/profile/${username}`);
  await expect.poll(readSitemap).toContain(`/profile/${username}/renamed-since</loc>`);

  await page.goto(`/profile/${username}/never-there`);
  await expect(page.getByRole('heading', { level: 1, name: 'Offering not found.' })).toBeVisible();
});

test('a draft is not listed, and a sold-out offering has no payment link [e2e-149]', async ({
  creator,
  signedInPage: page,
}) => {
  const { id, slug, title } = await makeOffering(creator.token, { state: 'draft' });
  const address = `/profile/${creator.username}/${slug}`;
  const list = () => text(`/api/creators/${creator.username}/offerings`);
  expect((await fetchApi('GET', address)).status).toBe(404);
  expect(await list()).not.toContain(title);
  await page.goto(`/dashboard/edit-offering/${id}`);
  await expect(page.getByLabel('State')).toHaveValue('draft');
  await page.getByLabel('State').selectOption('Sold out');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Offering updated successfully!')).toBeVisible();
  await untilPageShows(address, 'Sold out');
  await page.goto(address);
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await expect(page.getByText('Sold out', { exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: /^Access Now/ })).toHaveCount(0);
  await expect.poll(() => text(`/api/creators/${creator.username}`)).toContain('"offeringCount":1');

  await fetchJson('PUT', `/api/offerings/${id}`, {
    token: creator.token,
    body: { ...offeringFields(), title, state: 'archived' },
  });
  await untilPageIs(address, 404);
  await expect.poll(list).toBe('{"items":[],"pinnedId":null}');
  await expect.poll(() => text(`/api/creators/${creator.username}`)).toContain('"offeringCount":0');
});

test('the home page has the structured data of the site', async () => {
  const facts = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(await text('/'))?.[1];
  expect(JSON.parse(facts ?? '')).toEqual({
    '@context': 'https://schema.org',
    '@type': 'WebSite',
    name: 'Stoa',
    url: `${theSystem().siteUrl}/`,
  });
});

test('every public page has a title, a canonical address and a preview for sharing', async () => {
  const { username, token } = await makeCreator();
  const site = theSystem().siteUrl;
  const titles = new Set<string | undefined>();
  const { slug } = await makeOffering(token);
  const own = [`/profile/${username}`, `/profile/${username}/${slug}`];
  for (const path of ['/', '/about', '/browse-creators', '/contact', '/privacy', ...own]) {
    await untilPageIsComplete(path);
    const html = await text(path);
    expect(html, path).toContain(`<link rel="canonical" href="${site}${path}" />`);
    expect(meta(html, 'og:url'), path).toBe(site + path);
    expect(meta(html, 'description'), path).toBeTruthy();
    expect(meta(html, 'twitter:card'), path).toMatch(/^summary/);
    titles.add(meta(html, 'og:title'));
    const image = await fetch(meta(html, 'og:image') ?? '');
    expect(image.headers.get('content-type'), path).toMatch(/^image\//);
  }
  expect(titles.size).toBe(7);
});

test('an unknown profile is 404 and noindex [e2e-150]', async () => {
  for (const path of ['/profile/nobody-has-this-name', '/no-such-page']) {
    await untilPageIs(path, 404);
    const response = await fetchApi('GET', path);
    expect(response.status, path).toBe(404);
    expect(await response.text()).toContain('<meta name="robots" content="noindex" />');
  }
});

test('robots.txt names a sitemap with a new profile and no private page [e2e-151]', async () => {
  const { username } = await makeCreator();
  const site = theSystem().siteUrl;
  const robots = await text('/robots.txt');
  expect(robots).toContain(`Sitemap: ${site}/sitemap.xml`);
  expect(robots).toContain('Disallow: /dashboard');
  await expect.poll(readSitemap).toContain(`<loc>${site}/profile/${username}</loc><lastmod>`);
  const map = await readSitemap();
  for (const path of ['/', '/about', '/browse-creators', '/contact', '/terms-of-service'])
    expect(map).toContain(`<loc>${site}${path}</loc>`);
  expect(map).not.toMatch(/dashboard|create-profile|download|\/login/);
});

test('a profile has a short URL, and common variants redirect to it [e2e-152]', async ({
  page,
  creator: { username, displayName },
}) => {
  for (const address of [
    `/@${username}`,
    `/profile/@${username}`,
    `/%40${username}/`,
    `/Profile/${username.toUpperCase()}?from=card`,
  ]) {
    await page.goto(address);
    await expect(page).toHaveURL(
      address.includes('?') ? `/profile/${username}?from=card` : `/profile/${username}`,
    );
    await expect(page.getByRole('heading', { level: 1, name: displayName })).toBeVisible();
  }
  expect((await page.goto('/@nobody-at-all'))?.status()).toBe(404);
  await page.goto('/browse-creators');
  await page.getByRole('searchbox', { name: 'Search creators' }).fill(`@${username}`);
  await expect(page.getByRole('main').getByRole('article')).toHaveCount(1);
});
