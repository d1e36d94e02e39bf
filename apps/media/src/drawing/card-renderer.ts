import { Injectable } from '@nestjs/common';
import { fileURLToPath } from 'node:url';
import { startBounded } from '../pictures/bounded-process.ts';
import type { CardTask } from './card-drawing.ts';

/** The message that the drawing process sends when it has finished. */
export type CardMessage = { jpeg: Buffer } | { failed: string };

// Drawing a card takes half a second of CPU time, mostly to start the process. Memory is in MiB.
const bounds = { memory: 1200, cpuSeconds: 10, milliseconds: 15_000 };
const worker = new URL('./card.worker', import.meta.url);
// Restricts the process to the fonts of this service, because machines have different fonts.
const environment = { FONTCONFIG_FILE: fileURLToPath(new URL('../../fonts/fonts.conf', import.meta.url)) };

/** Draws each card in a separate process, because text of strangers could crash the complex drawing code. */
@Injectable()
export class CardRenderer {
  render(task: CardTask): Promise<Buffer> {
    const child = startBounded(worker, bounds, environment);
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    const deadline = setTimeout(() => reject(new Error('drawing a card took too long')), bounds.milliseconds);
    child.on('message', (message: 'ready' | CardMessage) => {
      if (message === 'ready') child.send(task);
      else if ('jpeg' in message) resolve(Buffer.from(message.jpeg));
      else reject(new Error(`drawing a card failed: ${message.failed}`));
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      reject(new Error(`the process of a card ended by ${signal ?? `code ${String(code)}`}`));
    });
    return promise.finally(() => {
      clearTimeout(deadline);
      child.kill('SIGKILL');
    });
  }
}
