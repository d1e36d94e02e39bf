import { paths } from '@stoa/contracts';
import { makeCreator, makeFullCreator, makeOffering, saveProfile } from '../src/creators.ts';
import { makeOfferingWithFile } from '../src/delivery.ts';
import { expectPath, button, heading, inMenu, link } from '../src/engines/actions.ts';
import { expect, test } from '../src/engines/engine-test.ts';
import type { Visitor } from '../src/engines/visitor.ts';
import { randomFile } from '../src/files.ts';
import { isTo, waitForMail } from '../src/mail-catcher.ts';
import { verifyEmail } from '../src/keycloak-admin.ts';

test('a visitor searches for a creator and finds the payment link of an offering [e2e-41]', async ({
  visitor,
}) => {
  const creator = await makeCreator();
  const offering = await makeOffering(creator.token);
  await visitor.open('/');
  await visitor.click(inMenu(link('Browse Creators')));
  await expectPath(visitor, paths.browse);
  await visitor.fill({ role: 'searchbox', name: 'Search creators' }, creator.username.toUpperCase());
  await visitor.sees({ text: '1 creator' });
  await expect.poll(async () => (await visitor.address()).search).toContain(creator.username.toUpperCase());
  await visitor.click(link(/^View Profile/));
  await expectPath(visitor, paths.profile(creator.username));
  await visitor.sees(heading(creator.displayName));
  await visitor.click({ ...link(offering.title), in: { role: 'article' } });
  await expectPath(visitor, paths.offering(creator.username, offering.slug));
  await visitor.sees(heading(offering.title));
  const accessNow = link(/^Access Now/);
  await visitor.sees(accessNow);
  expect(await visitor.attribute(accessNow, 'href')).toBe(offering.paymentUrl);
  expect(await visitor.attribute(accessNow, 'rel')).toBe('noopener noreferrer nofollow');
  await expect
    .poll(() =>
      visitor.value('[...document.images].every((image) => image.complete && image.naturalWidth > 0)'),
    )
    .toBe(true);

  await visitor.back();
  await expectPath(visitor, paths.profile(creator.username));
  await visitor.sees(heading(creator.displayName));
});

test.describe('public pages have no errors and no policy violations', () => {
  const ofTheSite = ['/', paths.browse, paths.about, paths.contact, paths.help];
  const makeCreatorsPages = async () => {
    const { username, slug } = await makeFullCreator();
    return [paths.profile(username), paths.offering(username, slug)];
  };
  const opens = async (visitor: Visitor, pages: readonly string[]) => {
    for (const path of pages) {
      await visitor.open(path);
      await visitor.sees({ role: 'main' });
      expect(await visitor.errors(), path).toEqual([]);
    }
  };

  test("when the site's own pages open [e2e-42]", ({ visitor }) => opens(visitor, ofTheSite));

  test("when a creator's pages open [e2e-43]", async ({ visitor }) =>
    opens(visitor, await makeCreatorsPages()));

  test('after navigation within the site [e2e-44]', async ({ visitor }) => {
    const title = () =>
      visitor.value<string | null>("document.querySelector('main h1')?.textContent ?? null");
    const pages = [...(await makeCreatorsPages()), ...ofTheSite];
    await visitor.open(paths.terms);
    for (const path of pages) {
      const before = await title();
      await visitor.follow(path);
      // Waits for another title, because the previous page stays visible until the next one is loaded.
      await expect.poll(async () => [null, before].includes(await title()), path).toBe(false);
      expect(await visitor.errors(), path).toEqual([]);
    }
    await visitor.sees(heading('Help & Feedback'));
    expect(await visitor.errors()).toEqual([]);
  });

  test('and a violation would be recorded', async ({ visitor }) => {
    await visitor.open(paths.about);
    await visitor.value(`document.head.append(
      Object.assign(document.createElement('style'), { textContent: 'p { color: red }' }),
    )`);
    await expect.poll(async () => (await visitor.errors()).join()).toContain('style-src');
  });
});

test('a message reaches the creator through the form [e2e-45]', async ({ visitor }) => {
  const creator = await makeCreator();
  await verifyEmail(creator);
  await saveProfile(creator.token, { displayName: creator.displayName, contactBy: 'form' });
  await visitor.open(paths.profile(creator.username));
  await visitor.click(link(/^Contact Me/));
  await expectPath(visitor, paths.contactCreator(creator.username));
  await visitor.click(button('Send Message'));
  await visitor.sees({ text: 'This field is required.' });
  await visitor.fill({ label: /^Name/ }, 'Thandi Dube');
  await visitor.fill({ label: /^Email/ }, 'thandi@example.test');
  await visitor.fill({ label: /^Subject/ }, `Letters of ${creator.username}`);
  await visitor.fill({ label: /^Message/ }, 'Do you have a shop in Durban?');
  await visitor.click(button('Send Message'));
  await visitor.sees({ text: /Your message was sent|Thanks for/ });
  const mail = await waitForMail(
    (candidate) => isTo(creator.email)(candidate) && candidate.subject.includes(creator.username),
  );
  expect(mail.text).toContain('Do you have a shop in Durban?');
});

test('a buyer downloads the file of an offering under its own name [e2e-46]', async ({ visitor }) => {
  const creator = await makeCreator();
  const file = randomFile();
  const { offering } = await makeOfferingWithFile(creator, file);
  await visitor.open(paths.delivery(creator.uid, offering.id, offering.deliveryKey));
  await visitor.sees(heading('A book of letters'));
  const saved = await visitor.download(link('Download Now (eBook)'));
  expect(saved.name).toBe(file.name);
  expect(saved.bytes.equals(file.buffer)).toBe(true);
});
