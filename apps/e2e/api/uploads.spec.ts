import type { Picture, UploadGrant } from '@stoa/contracts';
import { expect, test } from '@playwright/test';
import sharp from 'sharp';
import { fetchJson, fetchApi, expectInvalidFields, expectProblem } from '../src/api.ts';
import { makeCreator, type TestCreator, postFile, requestUpload, upload } from '../src/creators.ts';
import { randomPhoto, photoOfSize, type PictureFile } from '../src/pictures.ts';
import { theSystem } from '../src/system.ts';

let creator: TestCreator;
let photo: PictureFile;

test.beforeAll(async () => {
  creator = await makeCreator();
  photo = await randomPhoto({ width: 640, height: 480 });
});

const grantFor = (file: PictureFile) => requestUpload(creator.token, 'profile-picture', file);
const complete = ({ id }: UploadGrant) =>
  fetchApi('POST', `/api/uploads/${id}/complete`, { token: creator.token });

test('a grant is refused for a file that is too large, empty or not a picture', async () => {
  const limit = 2 * 1024 * 1024;
  const good = { purpose: 'profile-picture', filename: 'a.jpg', contentType: 'image/jpeg', size: 1000 };
  const cases = [
    [{ size: limit + 1 }, ['size']],
    [{ size: 0 }, ['size']],
    [{ contentType: 'image/svg+xml' }, ['contentType']],
    [{ purpose: 'shell' }, ['purpose']],
  ] as const;
  for (const [changes, fields] of cases) {
    const body = { ...good, ...changes };
    const response = await fetchApi('POST', '/api/uploads', { token: creator.token, body });
    expect(await expectInvalidFields(response)).toEqual(fields);
  }
});

test('the object store refuses posts outside the signed policy', async () => {
  const limit = 2 * 1024 * 1024;
  const grant = await grantFor(photo);
  expect((await postFile(grant, await photoOfSize(limit + 1))).status).toBe(400);
  expect((await postFile(grant, { ...photo, buffer: Buffer.alloc(0) })).status).toBeGreaterThanOrEqual(400);

  const elsewhere = { ...grant, fields: { ...grant.fields, key: 'somewhere/else.jpg' } };
  expect((await postFile(elsewhere, photo)).status).toBe(403);
  const otherType = { ...grant, fields: { ...grant.fields, 'Content-Type': 'text/html' } };
  expect((await postFile(otherType, photo)).status).toBe(403);
  const unsigned = { ...grant, fields: { key: grant.fields.key ?? '' } };
  expect((await postFile(unsigned, photo)).ok).toBe(false);
  await expectProblem(await complete(grant), 404);

  expect((await postFile(grant, photo)).ok).toBe(true);
  expect((await complete(grant)).status).toBe(200);
});

test('a form stores one file, and a repeated post stores nothing', async () => {
  const grant = await grantFor(photo);
  expect((await postFile(grant, photo)).ok).toBe(true);
  expect((await postFile(grant, photo)).status).toBe(409);
  expect((await complete(grant)).status).toBe(200);
  expect((await postFile(grant, photo)).status).toBe(409);
});

test('a file that is not a supported picture is refused at completion [e2e-33]', async () => {
  const bombs: Record<string, Buffer> = {
    'a script': Buffer.from('<script>alert(1)</script>'.repeat(20)),
    'an SVG': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>'),
    'half a JPEG': photo.buffer.subarray(0, 600),
    'a GIF': await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
      .gif()
      .toBuffer(),
  };
  for (const [what, buffer] of Object.entries(bombs)) {
    const file = { ...photo, buffer };
    const grant = await grantFor(file);
    expect((await postFile(grant, file)).ok, what).toBe(true);
    const problem = await expectProblem(await complete(grant), 422);
    expect(problem.code, what).toBe('unsupported_picture');
  }
});

test('a repeated completion re-encodes a picture only once [e2e-34]', async () => {
  const grant = await grantFor(photo);
  await postFile(grant, photo);
  const answers = await Promise.all([complete(grant), complete(grant), complete(grant)]);
  const pictures = (await Promise.all(answers.map((answer) => answer.json()))) as Picture[];
  expect(new Set(pictures.map((picture) => JSON.stringify(picture))).size).toBe(1);
  const [picture] = pictures;
  expect(picture?.path).toContain(`profile_pictures/${creator.uid}/`);
});

test('the buckets cannot be listed, read or written from outside [e2e-35]', async () => {
  const { publicEndpoint, buckets } = theSystem().minio;
  const picture = await upload(creator.token, 'profile-picture', photo);
  const { mediaUrl } = await fetchJson<{ mediaUrl: string }>('GET', '/api/config');
  expect((await fetch(`${mediaUrl}/${picture.path}/${picture.widths[0]}.webp`)).status).toBe(200);
  for (const bucket of Object.values(buckets)) {
    const url = `${publicEndpoint}/${bucket}`;
    expect((await fetch(`${url}/?list-type=2`)).status, `list ${bucket}`).toBe(403);
    expect((await fetch(`${url}/x`, { method: 'PUT', body: 'x' })).status, `write ${bucket}`).toBe(403);
    expect((await fetch(`${url}/${picture.path}`, { method: 'DELETE' })).status, `delete ${bucket}`).toBe(
      403,
    );
  }
  const form = new FormData();
  form.append('key', 'x');
  form.append('file', 'x');
  const post = await fetch(`${publicEndpoint}/${buckets.public}`, { method: 'POST', body: form });
  expect(post.ok).toBe(false);
});

test('the object store accepts a file of 200 MB and refuses a larger one [e2e-36]', async () => {
  const limit = 200 * 1024 * 1024;
  const body = { purpose: 'offering-file', filename: 'a.bin', contentType: '', size: limit };
  const over = await fetchApi('POST', '/api/uploads', {
    token: creator.token,
    body: { ...body, size: limit + 1 },
  });
  expect(await expectInvalidFields(over)).toEqual(['size']);
  const grant = await fetchJson<UploadGrant>('POST', '/api/uploads', { token: creator.token, body });
  const file = (bytes: number) => ({ name: 'a.bin', mimeType: 'text/html', buffer: Buffer.alloc(bytes) });
  expect((await postFile(grant, file(limit + 1))).status).toBe(400);
  expect((await postFile(grant, file(limit))).ok).toBe(true);
  const completed = await fetchApi('POST', `/api/uploads/${grant.id}/complete-file`, {
    token: creator.token,
  });
  expect(await completed.json()).toMatchObject({ filename: 'a.bin', size: limit });
});
