import type { CreatorPage } from '@stoa/contracts';
import { randomBytes, randomUUID } from 'node:crypto';
import { expectProblem, fetchApi, fetchJson } from '@stoa/e2e/api';
import { makeCreator, makeOffering, offeringFields, upload } from '@stoa/e2e/creators';
import { fillDiskOf, hasSmallDisks } from '../src/fault-drill/ballast.ts';
import { randomFile } from '@stoa/e2e/files';
import { verifyEmail } from '@stoa/e2e/keycloak-admin';
import { isTo, mails, waitForMail } from '@stoa/e2e/mail-catcher';
import { runOf } from '@stoa/e2e/process-control';
import { expect, test } from '@stoa/e2e/test';
import { makeVisit, browserHeaders, readNumbers } from '@stoa/e2e/visits';

test.beforeEach(() => {
  test.skip(!hasSmallDisks(), 'no small disks: stoa with-system --small-disks makes them, for root on Linux');
});

/** A part first fills the space that it had already allocated. */
const room = { timeout: 120_000, intervals: [20] };
const back = { timeout: 60_000 };

/** A message that fills a page of its table and cannot be compressed. */
const newMessage = () => ({
  id: randomUUID(),
  name: 'A',
  email: 'a@example.test',
  subject: `On a full disk ${randomUUID()}`,
  message: randomBytes(3500).toString('base64'),
});

type Message = ReturnType<typeof newMessage>;

const send = (body: Message) => fetchApi('POST', '/api/contact-messages', { body });

const profile = (bio: string) => ({
  displayName: 'Nomvula',
  bio,
  contactBy: 'email',
  paygates: [],
  socialLinks: { youtube: null, tiktok: null, instagram: null },
  niches: [],
});

const editProfile = (token: string, bio: string) =>
  fetchApi('PUT', '/api/me/profile', { token, body: profile(bio) });

/** The status of an answer: a success, or 503 or 504 with Retry-After, and nothing else. */
async function statusOf(answer: Promise<Response>): Promise<number> {
  const response = await answer;
  if (response.ok) {
    await response.body?.cancel();
    return response.status;
  }
  expect([503, 504]).toContain(response.status);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  await expectProblem(response, response.status);
  return response.status;
}

const statuses = (...calls: Promise<Response>[]) => Promise.all(calls.map(statusOf));

/** Public reads, which the gateway caches once they were requested. */
const publicReads = (username: string) =>
  statuses(fetchApi('GET', `/profile/${username}`), fetchApi('GET', `/api/creators?search=${username}`));

const ownReads = (token: string) =>
  statuses(fetchApi('GET', '/api/me', { token }), fetchApi('GET', '/api/me/offerings', { token }));

test('a full disk of Postgres refuses writes until there is space, and loses nothing', async () => {
  const { token, username } = await makeCreator();
  expect(await publicReads(username)).toEqual([200, 200]);
  const taken = new Set<string>();
  const bios = new Set(['']);
  let refused: Message | undefined;
  const edit = async () => {
    const wanted = randomBytes(1400).toString('base64');
    const status = await statusOf(editProfile(token, wanted));
    if (status === 200) bios.clear();
    // An edit that got no answer in time may have been saved.
    if (status !== 503) bios.add(wanted);
    return status;
  };
  const message = async (given = newMessage()) => {
    const status = await statusOf(send(given));
    if (status === 202) taken.add(given.subject);
    else refused = given;
    return status;
  };
  const free = await fillDiskOf('postgres');
  try {
    await expect.poll(() => message(), room).toBe(503);
    await expect.poll(edit, room).toBe(503);
    expect(await publicReads(username), 'known').toEqual([200, 200]);
    // Reads over open connections: Postgres with a full disk refuses new ones, for which it would have to
    // write.
    await ownReads(token);
  } finally {
    await free();
  }
  await expect.poll(() => message(refused), back).toBe(202);
  await expect.poll(() => ownReads(token), back).toEqual([200, 200]);
  const me = await fetchJson<{ bio: string }>('GET', '/api/me', { token });
  expect([...bios]).toContain(me.bio);
  await expect.poll(edit, back).toBe(200);
  const mailed = async () => {
    const subjects = (await mails()).map(({ subject }) => subject);
    return [...taken].map((one) => subjects.filter((subject) => subject.includes(one)).length);
  };
  await expect.poll(mailed, back).toEqual([...taken].map(() => 1));
});

test('a full disk of NATS delays only effects of events, which arrive once there is space', async () => {
  const creator = await makeCreator();
  const { token, username, uid, email } = creator;
  await verifyEmail(creator);
  const { id } = await makeOffering(token);
  const coverImageId = (await upload(token, 'offering-cover')).id;
  const count = async () => {
    const page = await fetchJson<CreatorPage>('GET', `/api/creators?search=${username}`);
    return page.items[0]?.offeringCount;
  };
  await expect.poll(count, back).toBe(1);
  const before = await runOf('nats');
  const seen = new Set<string>();
  const visit = async () => {
    const body = makeVisit(uid);
    const { status } = await fetchApi('POST', '/api/visits', { body, headers: browserHeaders });
    expect([202, 204]).toContain(status);
    seen.add(body.id);
    return status;
  };
  const elsewhere = `https://${randomUUID()}.example.net/letters`;
  const free = await fillDiskOf('nats');
  try {
    await expect.poll(visit, room).toBe(202);
    await makeOffering(token, { coverImageId });
    await fetchJson('PUT', `/api/offerings/${id}`, {
      token,
      body: { ...offeringFields(), paymentUrl: elsewhere },
    });
    expect((await send(newMessage())).status).toBe(202);
    expect([await publicReads(username), await ownReads(token)].flat()).toEqual([200, 200, 200, 200]);
    expect(await runOf('nats'), 'it still runs').toBe(before);
  } finally {
    await free();
  }
  await expect.poll(async () => [null, before].includes(await runOf('nats')), back).toBe(false);
  await expect.poll(() => count().catch(() => 0), back).toBe(2);
  const views = async () => (await readNumbers(token)).totals.views;
  await expect.poll(() => views().catch(() => 0), back).toBe(seen.size);
  const isMine = isTo(email);
  await waitForMail((mail) => isMine(mail) && mail.text.includes(elsewhere));
});

test('a full disk of the object store fails only uploads', async ({ signedInPage: page, creator }) => {
  const { id, coverImage } = await makeOffering(creator.token);
  const { mediaUrl } = await fetchJson<{ mediaUrl: string }>('GET', '/api/config');
  const picture = `${mediaUrl}/${coverImage?.path}/${coverImage?.widths[0]}.webp`;
  const file = randomFile();
  await page.goto(`/dashboard/edit-offering/${id}`);
  await page.getByLabel('Title').fill('Typed before');
  const free = await fillDiskOf('minio');
  try {
    await page.getByLabel('Downloadable File').setInputFiles(file);
    await expect(page.getByText('The file could not be uploaded. Please try again.')).toBeVisible();
    expect(
      await statuses(
        fetch(picture),
        fetchApi('GET', `/profile/${creator.username}`),
        fetchApi('PUT', '/api/me/profile', { token: creator.token, body: profile('On a full disk') }),
      ),
    ).toEqual([200, 200, 200]);
  } finally {
    await free();
  }
  const tryAgain = page.getByRole('button', { name: 'Try again' });
  // The store checks its disk periodically, and refuses uploads until then.
  await expect(async () => {
    if (await tryAgain.isVisible()) await tryAgain.click();
    await expect(page.getByRole('button', { name: 'Remove file' })).toBeVisible({ timeout: 2000 });
  }).toPass(back);
  await expect(page.getByLabel('Title')).toHaveValue('Typed before');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page).toHaveURL('/dashboard');
  await page.goto(`/download/${creator.uid}/${id}`);
  await expect(page.getByText(file.name)).toBeVisible();
});
