import { pictureFormats } from '@stoa/contracts';
import { Refusal } from '@stoa/messaging';
import { Injectable, Logger } from '@nestjs/common';
import { type Bounds, startBounded } from './bounded-process.ts';
import type { EncodedPicture, PictureTask, Variants } from './picture-decoding.ts';

/** The message of a picture process when it is done. */
export type PictureMessage = { picture: EncodedPicture } | { unsupported: string } | { failed: string };

// The largest supported JPEG, PNG and WebP need 220 MB and a second of CPU time; the largest AVIF needs 530
// MB.
const usualBounds: Bounds = { memory: 1200, cpuSeconds: 15, milliseconds: 25_000 };

const worker = new URL('./picture.worker', import.meta.url);

/**
 * Encodes untrusted pictures, each in a process of its own without this one's secrets and connections.
 * Decoders are complex code that strangers feed.
 */
@Injectable()
export class PictureEncoder {
  private readonly logger = new Logger(PictureEncoder.name);

  /**
   * Decodes `bytes` and encodes them again, upright and without metadata, at those of the widths that do not
   * enlarge them.
   *
   * @throws Refusal `unsupported_picture` when the bytes are no supported picture or exceed the bounds, and
   * `timeout` when they took too long, which may be the machine's fault
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
    // The process does not exit on its own.
    child.on('close', (code, signal) => {
      const end = signal ?? `code ${String(code)}`;
      // Before the process has work, its end is not the picture's fault.
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

/** The refusal of a picture whose process was stopped. */
export function pictureTooComplex(): Refusal {
  const message = 'This picture takes too much time or memory to read. Choose a smaller or simpler one.';
  return new Refusal('unsupported_picture', message);
}
