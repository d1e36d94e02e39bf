import type { Picture } from '@stoa/contracts';
import { randomUUID } from 'node:crypto';

/** A completed picture as in an answer of media. */
export function randomPicture(changes: Partial<Picture> = {}): Picture {
  const id = randomUUID();
  return {
    id,
    path: `offering_images/${randomUUID()}/${id}`,
    widths: [320, 640],
    width: 640,
    height: 480,
    color: '#aabbcc',
    ...changes,
  };
}
