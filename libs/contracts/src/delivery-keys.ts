import { z } from 'zod';

/** A secret that opens the download page of an offering without an account. */
export const DeliveryKey = z.string().regex(/^[\w-]{22,128}$/);

/** A key from a request. Any text passes, so that a malformed key gets the same answer as a wrong one. */
export const PresentedKey = z.string().max(512).optional();
export type PresentedKey = z.infer<typeof PresentedKey>;
