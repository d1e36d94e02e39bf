import { Injectable } from '@nestjs/common';
import { fileURLToPath } from 'node:url';
import { startBounded } from './bounded-process.ts';
import type { CardTask } from './card-drawing.ts';

/** What the process of one card says when it is done. */
export type CardAnswer = { jpeg: Buffer } | { failed: string };

// A card takes half a second of a core, most of it for starting; text of many scripts some more.
const bounds = { memory: 1200, cpuSeconds: 10, milliseconds: 15_000 };
const worker = new URL('./card.worker', import.meta.url);
// The fonts of this service alone: a machine has others, or none.
const environment = { FONTCONFIG_FILE: fileURLToPath(new URL('../fonts/fonts.conf', import.meta.url)) };

/** Draws cards, each in a process of its own: strangers choose the words, and shaping them is a lot of code. */
@Injectable()
export class CardRenderer {
  render(task: CardTask): Promise<Buffer> {
    const child = startBounded(worker, bounds, environment);
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    const deadline = setTimeout(() => reject(new Error('drawing a card took too long')), bounds.milliseconds);
    child.on('message', (said: 'ready' | CardAnswer) => {
      if (said === 'ready') child.send(task);
      else if ('jpeg' in said) resolve(Buffer.from(said.jpeg));
      else reject(new Error(`drawing a card failed: ${said.failed}`));
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
