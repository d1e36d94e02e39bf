import { createServer } from 'node:http';
import { expectAccessible } from '../src/accessibility/expect-accessible.ts';
import { makeOffering } from '../src/creators.ts';
import { verifyEmail } from '../src/keycloak-admin.ts';
import { isTo, mails, waitForMail } from '../src/mail-catcher.ts';
import { theSystem } from '../src/system.ts';
import { expect, test } from '../src/test.ts';

/** Starts a server for the host shop.example.com, to which LINK_CHECK_TEST_HOSTS directs link checks. */
async function openShop() {
  let status = 404;
  const server = createServer(({ url }, response) => {
    response.writeHead(url === '/canary' ? 200 : status).end();
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(theSystem().ports.links, '127.0.0.1', resolve);
  await promise;
  return {
    mend: () => (status = 200),
    close: () => server.close(),
  };
}

test('a dead payment link is reported on the dashboard and by mail until it works again [e2e-92]', async ({
  signedInPage: page,
  creator,
}) => {
  test.setTimeout(120_000);
  const shop = await openShop();
  try {
    await verifyEmail(creator);
    const url = `http://shop.example.com/letters-${creator.username}`;
    const title = `Letters of ${creator.username}`;
    const { id } = await makeOffering(creator.token, { title, paymentUrl: url });
    const isOfLinks = (mail: { subject: string }) =>
      mail.subject === 'A link on your Stoa page no longer works';
    const told = (mail: Parameters<ReturnType<typeof isTo>>[0]) =>
      isTo(creator.email)(mail) && isOfLinks(mail);
    const mail = await waitForMail(told);
    expect(mail.text.replace(/\s+/g, ' ')).toContain(`${url} The page was not found.`);

    await page.goto('/dashboard');
    const panel = page.getByRole('region', { name: 'Links that no longer work' });
    const dead = panel.getByRole('listitem').filter({ hasText: title });
    await expect(dead.getByText('The page was not found.', { exact: false })).toBeVisible();
    await expect(dead.getByRole('link', { name: 'Edit offering' })).toHaveAttribute(
      'href',
      `/dashboard/edit-offering/${id}`,
    );
    await expectAccessible(page, 'dead-links');

    shop.mend();
    await dead.getByRole('button', { name: 'Check again' }).click();
    await expect(panel.getByText(`Payment link of “${title}” works again.`)).toBeVisible({ timeout: 30_000 });
    await expect(dead).toHaveCount(0);
    await page.reload();
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
    await expect(panel).toHaveCount(0);
    expect((await mails()).filter(told)).toHaveLength(1);
  } finally {
    shop.close();
  }
});
