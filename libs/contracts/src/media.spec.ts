import { expect, it } from '@jest/globals';
import { UploadRequest } from './media.ts';

const accepts = (contentType: string) =>
  UploadRequest.safeParse({ purpose: 'offering-cover', filename: 'a.jpg', size: 1, contentType }).success;

it.each([
  'image/jpeg',
  'IMAGE/JPEG',
  'image/jpeg; charset=binary',
  ' image/png ;q=1',
  'image/gif',
  'image/jpg',
  'image/x-citrix-jpeg',
  'image/heic',
  'application/octet-stream',
  'Application/Octet-Stream; charset=binary',
  '',
])('an upload of a picture accepts the type %j, because media checks the bytes', (contentType) => {
  expect(accepts(contentType)).toBe(true);
});

it.each([
  'text/html',
  'application/pdf',
  'video/mp4',
  'images/jpeg',
  'ximage/jpeg',
  'text/html; image/jpeg',
  'image/svg+xml',
  'IMAGE/SVG',
])('an upload of a picture refuses the type %j', (contentType) => {
  expect(accepts(contentType)).toBe(false);
});
