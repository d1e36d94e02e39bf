import { s3Tests } from './s3.tests.ts';

s3Tests();
