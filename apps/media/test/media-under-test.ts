import {
  type Caller,
  media,
  Picture,
  type UploadGrant,
  type UploadPurpose,
  type UploadRequest,
} from '@stoa/contracts';
import { type ServiceUnderTest, startServiceUnderTest, testParts } from '@stoa/testing';
import { Client } from 'minio';
import { MediaModule } from '../src/media.module.ts';

export const { buckets, endpoint, keys, root } = testParts().minio;
// These tests connect to the object store directly. The tests of the edge cover the proxy in front of it.
export const publicEndpoint = endpoint;
const region = 'us-east-1';

/** Host and port of the object store, as options of an S3 client. */
export const storeAddress = {
  endPoint: new URL(endpoint).hostname,
  port: Number(new URL(endpoint).port),
  useSSL: false,
  region,
};

/** An S3 client with all rights. */
export const store = new Client({ ...storeAddress, ...root });

export const storageEnvironment: Record<string, string> = {
  S3_ENDPOINT: endpoint,
  S3_PUBLIC_ENDPOINT: publicEndpoint,
  S3_REGION: region,
  S3_UPLOADS_ACCESS_KEY: keys.uploads.accessKey,
  S3_UPLOADS_SECRET_KEY: keys.uploads.secretKey,
  S3_LINKS_ACCESS_KEY: keys.links.accessKey,
  S3_LINKS_SECRET_KEY: keys.links.secretKey,
  S3_WORK_ACCESS_KEY: keys.work.accessKey,
  S3_WORK_SECRET_KEY: keys.work.secretKey,
  S3_STAGING_BUCKET: buckets.staging,
  S3_PUBLIC_BUCKET: buckets.public,
  S3_FILES_BUCKET: buckets.files,
};

export function startMedia(environment: Record<string, string> = {}): Promise<ServiceUnderTest> {
  const folder = new URL('../', import.meta.url);
  return startServiceUnderTest(MediaModule, {
    service: 'media',
    folder,
    environment: { ...storageEnvironment, ...environment },
  });
}

/** Posts a file as a browser does: first the fields of the grant, then the bytes. */
export function post(
  { url, fields }: Pick<UploadGrant, 'url' | 'fields'>,
  bytes: Buffer,
  changes: Record<string, string> = {},
): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...fields, ...changes })) form.append(name, value);
  form.append('file', new Blob([new Uint8Array(bytes)]), 'picture');
  return fetch(url, { method: 'POST', body: form });
}

export const request = (changes: Partial<UploadRequest> = {}): UploadRequest => ({
  purpose: 'offering-cover',
  filename: 'picture.png',
  contentType: 'image/png',
  size: 100_000,
  ...changes,
});

/** Requests a grant, posts the picture and returns the upload's id. The upload is not completed yet. */
export async function upload(
  { ask }: ServiceUnderTest,
  caller: Caller,
  bytes: Buffer,
  purpose: UploadPurpose = 'offering-cover',
): Promise<string> {
  const grant = await ask(media.grant, request({ purpose, size: Math.max(1, bytes.length) }), caller);
  const posted = await post(grant, bytes);
  if (!posted.ok) throw new Error(`${posted.status} ${await posted.text()}`);
  return grant.id;
}

/** Requests a grant for a file, posts the bytes and returns the upload's id. */
export async function uploadFile(
  { ask }: ServiceUnderTest,
  caller: Caller,
  bytes: Buffer,
  filename = 'letters.pdf',
): Promise<string> {
  const grant = await ask(media.grant, fileRequest({ filename, size: bytes.length }), caller);
  const posted = await post(grant, bytes);
  if (!posted.ok) throw new Error(`${posted.status} ${await posted.text()}`);
  return grant.id;
}

export async function completePicture(
  { ask }: ServiceUnderTest,
  caller: Caller,
  id: string,
): Promise<Picture> {
  return Picture.parse(await ask(media.complete, { id }, caller));
}

export const fileRequest = (changes: Partial<UploadRequest> = {}): UploadRequest =>
  request({
    ...{ purpose: 'offering-file', filename: 'letters.pdf', contentType: 'application/pdf', size: 1000 },
    ...changes,
  });

/** Lists the keys with this prefix, sorted. */
export async function keysIn(bucket: string, prefix: string): Promise<string[]> {
  const items = await store.listObjectsV2(bucket, prefix, true).toArray();
  return (items as { name: string }[]).map(({ name }) => name).toSorted();
}
