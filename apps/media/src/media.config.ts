import { Environment, reaches, serviceEnvironment } from '@stoa/platform';
import { z } from 'zod';

const day = 86_400_000;
const milliseconds = (preset: number) => z.coerce.number().int().positive().default(preset);
const bytes = milliseconds;

const mediaEnvironment = serviceEnvironment.extend({
  S3_ENDPOINT: z
    .url()
    .describe('Address of the object store as this service reaches it.')
    .meta(reaches('s3')),
  S3_PUBLIC_ENDPOINT: z
    .url()
    .describe('Address of the object store as browsers reach it.')
    .meta(reaches('nothing')),
  S3_REGION: z.string().min(1).describe('Region for the signatures of requests.'),
  S3_UPLOADS_ACCESS_KEY: z.string().min(1).describe('Access key that signs upload forms, which reveal it.'),
  S3_UPLOADS_SECRET_KEY: z.string().min(1).describe('Its secret.'),
  S3_LINKS_ACCESS_KEY: z.string().min(1).describe('Access key that signs download links, which reveal it.'),
  S3_LINKS_SECRET_KEY: z.string().min(1).describe('Its secret.'),
  S3_WORK_ACCESS_KEY: z.string().min(1).describe('Access key for all other requests; never revealed.'),
  S3_WORK_SECRET_KEY: z.string().min(1).describe('Its secret.'),
  S3_STAGING_BUCKET: z.string().min(1).describe('Private bucket into which browsers post files.'),
  S3_PUBLIC_BUCKET: z.string().min(1).describe('Bucket of the publicly readable pictures.'),
  S3_FILES_BUCKET: z.string().min(1).describe('Private bucket of the downloadable files of offerings.'),
  SWEEP_INTERVAL_MS: milliseconds(600_000).describe(
    'Time between two removals of unused objects and expired rows.',
  ),
  UNFINISHED_AGE_MS: milliseconds(day).describe(
    'Age at which an upload that was never completed is removed.',
  ),
  UNATTACHED_AGE_MS: milliseconds(day).describe(
    'Age at which a picture or file without a record is removed.',
  ),
  FILE_LINK_MS: milliseconds(1_200_000).describe(
    'Lifetime of a download link, plus the time to transfer the file at 1 Mbit/s.',
  ),
  ACCOUNT_BYTES: bytes(10 * 1024 ** 3).describe(
    'Storage limit for the files and pictures of an account, in bytes.',
  ),
  UNPROVED_ACCOUNT_BYTES: bytes(500 * 1024 ** 2).describe(
    'Storage limit for an account without a confirmed email address, in bytes.',
  ),
});

export class MediaConfig extends Environment(mediaEnvironment) {}
