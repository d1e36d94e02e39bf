import { z } from 'zod';
import { Id } from './fields.ts';

/** A file that an offering delivers. It lies in a private bucket; only short-lived links lead to it. */
export const StoredFile = z
  .object({
    id: Id,
    /** Fit for every file system: no path, nothing that cannot be seen. */
    filename: z.string().min(1).max(255),
    size: z.int().positive(),
    /** What the creator's browser called it. It is served as bytes and nothing else, whatever this says. */
    contentType: z.string().min(1).max(127),
  })
  .meta({ id: 'StoredFile' });
export type StoredFile = z.infer<typeof StoredFile>;
