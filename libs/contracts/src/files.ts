import { z } from 'zod';
import { Id } from './fields.ts';

/** A file that an offering delivers. It lies in a private bucket; only short-lived links lead to it. */
export const StoredFile = z
  .object({
    id: Id,
    filename: z
      .string()
      .min(1)
      .max(255)
      .describe('Fit for every file system: no path, nothing that cannot be seen.'),
    size: z.int().positive().describe('Bytes.'),
    contentType: z
      .string()
      .min(1)
      .max(127)
      .describe("What the creator's browser called it; it is served as bytes, whatever this says."),
  })
  .meta({ id: 'StoredFile' });
export type StoredFile = z.infer<typeof StoredFile>;
