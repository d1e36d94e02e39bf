import { pictureFormats } from '@stoa/contracts';
import { Refusal } from '@stoa/messaging';
import { Injectable, Logger } from '@nestjs/common';
import { type Bounds, startBounded } from './bounded-process.ts';
import type { EncodedPicture, PictureTask, Variants } from './picture-decoding.ts';

/** The message that the encoding process sends when it has finished. */
export type PictureMessage = { picture: EncodedPicture } | { unsupported: string } | { failed: string };

// The largest accepted AVIF needs 530 MB and other pictures 220 MB, with a second of CPU time.
const usualBounds: Bounds = { memory: 1200, cpuSeconds: 15, milliseconds: 25_000 };

const worker = new URL('./picture.worker', import.meta.url);

/** Encodes each picture in a separate process without secrets: hostile bytes could attack the decoders. */
@Injectable()
export class PictureEncoder {
  private readonly logger = new Logger(PictureEncoder.name);

  /**
   * @throws Refusal `unsupported_picture` for unreadable or too large pictures, `timeout` if it took too long
   */
  encode(bytes: Buffer, variants: Variants, bounds = usualBounds): Promise<EncodedPicture> {
    const child = startBounded(worker, bounds);
    const task: PictureTask = { bytes, ...variants, formats: pictureFormats };
    const { promise, resolve, reject } = Promise.withResolvers<EncodedPicture>();
    let isWorking = false;
    const deadline = setTimeout(() => {
      reject(new Refusal('timeout', 'Reading this picture took too long. Please try again.'));
    }, bounds.milliseconds);
    child.on('message', (message: 'ready' | PictureMessage) => {
      if (message === 'ready') {
        isWorking = true;
        child.send(task);
      } else if ('picture' in message) resolve(message.picture);
      else if ('unsupported' in message) reject(new Refusal('unsupported_picture', message.unsupported));
      else reject(new Error(`encoding a picture failed: ${message.failed}`));
    });
    child.on('error', reject);
    // The process exits only if it crashes or is stopped.
    child.on('close', (code, signal) => {
      const end = signal ?? `code ${String(code)}`;
      // Only a process that has received its picture can have failed because of it.
      if (isWorking) reject(pictureTooComplex());
      else reject(new Error(`the process for a picture did not start: ${end}`));
    });
    return promise.finally(() => {
      clearTimeout(deadline);
      if (child.signalCode) this.logger.warn(`the process of a picture ended by ${child.signalCode}`);
      else child.kill('SIGKILL');
    });
  }
}

export function pictureTooComplex(): Refusal {
  const message = 'This picture takes too much time or memory to read. Choose a smaller or simpler one.';
  return new Refusal('unsupported_picture', message);
}
