import { pictureFormats } from '@stoa/contracts';
import { Refusal } from '@stoa/messaging';
import { Injectable, Logger } from '@nestjs/common';
import { type Bounds, startBounded } from './bounded-process.ts';
import type { EncodedPicture, PictureTask, Variants } from './picture-decoding.ts';

/** What the process of one picture says when it is done. */
export type PictureAnswer = { picture: EncodedPicture } | { unsupported: string } | { failed: string };

// The largest JPEG, PNG and WebP that are taken need 220 MB and a second of work, the largest AVIF 530 MB and some.
const usualBounds: Bounds = { memory: 1200, cpuSeconds: 15, milliseconds: 25_000 };

const worker = new URL('./picture.worker', import.meta.url);

/**
 * Makes pictures out of bytes that nobody has looked at yet, each in a process of its own: what decodes them is code
 * that strangers feed. That process has none of this one's secrets and connections.
 */
@Injectable()
export class PictureEncoder {
  private readonly logger = new Logger(PictureEncoder.name);

  /**
   * Decodes `bytes` and encodes them again, upright and without metadata, at those of the widths that do not
   * enlarge them.
   *
   * @throws Refusal `unsupported_picture` when they are no picture that we take, or cost more than one may, and
   * `timeout` when they took too long, which may be the machine's fault.
   */
  encode(bytes: Buffer, variants: Variants, bounds = usualBounds): Promise<EncodedPicture> {
    const child = startBounded(worker, bounds);
    const task: PictureTask = { bytes, ...variants, formats: pictureFormats };
    const { promise, resolve, reject } = Promise.withResolvers<EncodedPicture>();
    let isWorking = false;
    const deadline = setTimeout(() => {
      reject(new Refusal('timeout', 'Reading this picture took too long. Please try again.'));
    }, bounds.milliseconds);
    child.on('message', (said: 'ready' | PictureAnswer) => {
      if (said === 'ready') {
        isWorking = true;
        child.send(task);
      } else if ('picture' in said) resolve(said.picture);
      else if ('unsupported' in said) reject(new Refusal('unsupported_picture', said.unsupported));
      else reject(new Error(`encoding a picture failed: ${said.failed}`));
    });
    child.on('error', reject);
    // It does not end by itself.
    child.on('close', (code, signal) => {
      const end = signal ?? `code ${String(code)}`;
      // Before there is work to do, nothing can be the fault of the picture.
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

/** The refusal of a picture that was stopped. */
export function pictureTooComplex(): Refusal {
  const message = 'This picture takes too much time or memory to read. Choose a smaller or simpler one.';
  return new Refusal('unsupported_picture', message);
}
