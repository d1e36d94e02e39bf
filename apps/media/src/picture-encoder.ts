import { pictureFormats } from '@stoa/contracts';
import { Refusal } from '@stoa/messaging';
import { Injectable, Logger } from '@nestjs/common';
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { EncodedPicture, PictureTask } from './picture-decoding.ts';

/** What the process of one picture says when it is done. */
export type PictureAnswer = { picture: EncodedPicture } | { unsupported: string } | { failed: string };

export interface Bounds {
  /** Of the data of the process, in MiB. Node itself reserves about 600. */
  readonly memory: number;
  /** Work of a core, in seconds. It says something about the picture, however busy the machine is. */
  readonly cpuSeconds: number;
  /** By the clock. */
  readonly milliseconds: number;
}

// The largest JPEG, PNG and WebP that are taken need 220 MB and a second of work, the largest AVIF 530 MB and some.
const usualBounds: Bounds = { memory: 1200, cpuSeconds: 15, milliseconds: 25_000 };

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const worker = fileURLToPath(new URL(`./picture.worker.${extension}`, import.meta.url));

/**
 * Makes pictures out of bytes that nobody has looked at yet, each in a process of its own: what decodes them is code
 * that strangers feed. That process has none of this one's secrets and connections.
 */
@Injectable()
export class PictureEncoder {
  private readonly logger = new Logger(PictureEncoder.name);

  /**
   * Decodes `bytes` and encodes them again, upright and without metadata, at those of `widths` that do not
   * enlarge them.
   *
   * @throws Refusal `unsupported_picture` when they are no picture that we take, or cost more than one may, and
   * `timeout` when they took too long, which may be the machine's fault.
   */
  encode(bytes: Buffer, widths: readonly number[], bounds = usualBounds): Promise<EncodedPicture> {
    const child = start(bounds);
    const task: PictureTask = { bytes, widths, formats: pictureFormats };
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

function start({ memory, cpuSeconds }: Bounds): ChildProcess {
  const node = [process.execPath, '--max-old-space-size=64', '--v8-pool-size=1', worker];
  // Only Linux holds a process to such limits.
  const limits = `ulimit -d ${memory * 1024} && ulimit -t ${cpuSeconds} && exec "$@"`;
  const [command, ...args] = process.platform === 'linux' ? ['/bin/sh', '-c', limits, 'sh', ...node] : node;
  return spawn(command ?? process.execPath, args, {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    env: { UV_THREADPOOL_SIZE: '1' },
    // A signal for the service's group is none for the pictures it is still working on.
    detached: true,
  });
}
