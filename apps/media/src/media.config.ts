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
  S3_REGION: z.string().min(1).describe('Region that requests are signed for.'),
  S3_UPLOADS_ACCESS_KEY: z
    .string()
    .min(1)
    .describe('Access key that upload forms are signed with, and show.'),
  S3_UPLOADS_SECRET_KEY: z.string().min(1).describe('Its secret.'),
  S3_LINKS_ACCESS_KEY: z
    .string()
    .min(1)
    .describe('Access key that download links are signed with, and show.'),
  S3_LINKS_SECRET_KEY: z.string().min(1).describe('Its secret.'),
  S3_WORK_ACCESS_KEY: z.string().min(1).describe('Access key for the rest, which nobody is shown.'),
  S3_WORK_SECRET_KEY: z.string().min(1).describe('Its secret.'),
  S3_STAGING_BUCKET: z.string().min(1).describe('Private bucket that browsers post files into.'),
  S3_PUBLIC_BUCKET: z.string().min(1).describe('Bucket of the pictures that everybody may read.'),
  S3_FILES_BUCKET: z.string().min(1).describe('Private bucket of the downloadable files of offerings.'),
  SWEEP_INTERVAL_MS: milliseconds(600_000).describe('Time between two removals of what nothing uses.'),
  UNFINISHED_AGE_MS: milliseconds(day).describe('Age at which an upload that was never completed goes.'),
  UNATTACHED_AGE_MS: milliseconds(day).describe(
    'Age at which a picture or file goes that no record ever used.',
  ),
  FILE_LINK_MS: milliseconds(1_200_000).describe(
    'Life of a link to a downloadable file, beside the time that the file takes over 1 Mbit/s.',
  ),
  ACCOUNT_BYTES: bytes(10 * 1024 ** 3).describe('Bytes that the files and pictures of an account may take.'),
  UNPROVED_ACCOUNT_BYTES: bytes(500 * 1024 ** 2).describe(
    'The same for an account that has not confirmed its email address.',
  ),
});

export class MediaConfig extends Environment(mediaEnvironment) {}
