import type { PreviewCard } from '@stoa/contracts';
import { Refusal, remainingMs, withoutBudget } from '@stoa/messaging';
import { count, metrics } from '@stoa/telemetry';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import { FairQueue } from './fair-queue.ts';
import { CardRenderer } from './card-renderer.ts';
import { CardStorageClient } from './card-storage.client.ts';
import { MediaRepository } from './media.repository.ts';
import { type CardRow, type CardsOf, outdatedMs } from './preview-cards.repository.ts';

/** A card takes half a second, and the gateway waits eight. */
const drawing = { atOnce: 1, waiting: 16 };
const leaseMs = 30_000;
const othersMs = 250;
const longestMs = 10_000;
/** A card for which nobody asks goes; whoever asks later has it drawn anew. */
const keptMs = 30 * 24 * 60 * 60_000;
/** Longer than the gateway gives answers from memory while it cannot have them anew. */
const withdrawnMs = 24 * 60 * 60_000;
/** After which nothing is said of an owner. */
const last = 2n ** 63n - 1n;
const removedAtOnce = 20;
const removalBatches = 50;
/** After so many failures in a row it is the store that is away. */
const mostFailures = 5;
const putOffMs = 10 * 60_000;
/** Changes with how cards look, so that those of before are drawn anew. */
const design = 2;
/** Wide enough for a card, narrow enough to be read in no time. */
const pictureWidth = 768;

/** Draws cards when they are asked for, each once, and removes those that show what is no more. */
@Injectable()
export class PreviewCardService implements BeforeApplicationShutdown {
  private readonly logger = new Logger(PreviewCardService.name);
  private readonly drawing = new FairQueue(drawing);
  private readonly removing = pLimit(1);
  private readonly underWay = new Map<string, Promise<void>>();
  private isStopping = false;

  constructor(
    private readonly uploads: MediaRepository,
    private readonly storage: CardStorageClient,
    private readonly renderer: CardRenderer,
  ) {}

  /** Where the card lies, drawn now unless it was. */
  async locate(card: PreviewCard): Promise<{ path: string }> {
    const row = rowOf(card);
    const endsAt = performance.now() + remainingMs(longestMs);
    for (let anew = false; performance.now() < endsAt;) {
      const known = this.underWay.get(row.path);
      if (known) {
        await known;
        return { path: row.path };
      }
      const state = await this.uploads.cards.take(row, { keptMs, leaseMs, anew });
      if (state === 'withdrawn') throw new Refusal('not_found', 'There is no such card.');
      if (state === 'ours') {
        await this.drawOnce(row, card);
        return { path: row.path };
      }
      if (state === 'elsewhere') await pause(othersMs);
      else if (await this.storage.has(row.path)) return { path: row.path };
      else anew = true;
    }
    throw new Refusal('unavailable', 'The card is still being drawn. Please try again in a moment.');
  }

  /** What they show is public again. */
  async allow(ownerId: string, position: bigint): Promise<void> {
    await this.uploads.cards.allow(ownerId, position);
  }

  /** They show what nobody shall see any more; for good unless told by what may be followed. */
  async remove(of: CardsOf, position = last): Promise<void> {
    await this.uploads.cards.withdraw(of, position, withdrawnMs);
    withoutBudget(() => this.removing(() => this.removeDue(new AbortController().signal))).catch(
      (error: unknown) => {
        this.logger.warn(`cards are left to the sweeper: ${String(error)}`);
      },
    );
  }

  async sweep(stopping: AbortSignal): Promise<void> {
    await this.removing(() => this.removeDue(stopping));
    await this.uploads.cards.forgetWithdrawn();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await this.removing(() => undefined);
    await Promise.allSettled(this.underWay.values());
  }

  private drawOnce(row: CardRow, card: PreviewCard): Promise<void> {
    const { path } = row;
    // Several may have been told at once that it is theirs to draw.
    const known = this.underWay.get(path);
    if (known) return known;
    const work = withoutBudget(() => this.draw(row, card)).finally(() => this.underWay.delete(path));
    this.underWay.set(path, work);
    return work;
  }

  private async draw(row: CardRow, card: PreviewCard): Promise<void> {
    try {
      await this.drawing.run(row.uid, async () => {
        const picture = await this.pictureOf(card);
        await this.storage.publish(row.path, await this.render(card, picture));
      });
    } catch (error) {
      await this.uploads.cards.abandon(row);
      throw error;
    }
    count(metrics.cardsDrawn);
    // Whoever removed it may have been done before this was written.
    if (!(await this.uploads.cards.end(row, outdatedMs))) await this.storage.remove(row.path);
  }

  private async render(card: PreviewCard, picture: Buffer | null): Promise<Buffer> {
    try {
      return await this.renderer.render({ card, picture });
    } catch (error) {
      this.logger.error(error);
      throw new Refusal('unavailable', 'The card could not be drawn. Please try again in a moment.', [], 60);
    }
  }

  /** The creator's own picture in the smallest file that fills its place; a card without it is better than none. */
  private async pictureOf({ uid, pictureId }: PreviewCard): Promise<Buffer | null> {
    const upload = pictureId === null ? null : await this.uploads.find(pictureId);
    if (upload?.uid !== uid || upload.outcome?.kind !== 'picture') return null;
    const { path, widths } = upload.outcome.picture;
    const width =
      widths.toSorted((a, b) => a - b).find((each) => each >= pictureWidth) ?? Math.max(...widths);
    return this.storage.find(`${path}/${width}.webp`);
  }

  private async removeDue(stopping: AbortSignal): Promise<void> {
    for (let batch = 0, failures = 0; batch < removalBatches; batch += 1) {
      const due = await this.uploads.cards.beginRemoval(removedAtOnce, leaseMs);
      for (const { path } of due) {
        if (stopping.aborted || this.isStopping) return;
        failures = (await this.removeOne(path)) ? 0 : failures + 1;
        if (failures === mostFailures)
          throw new Error(`the store refuses to remove ${failures} cards in a row`);
      }
      if (due.length < removedAtOnce) return;
    }
  }

  /** Whether it is gone. A card that the store refuses to remove keeps none of the others from it. */
  private async removeOne(path: string): Promise<boolean> {
    try {
      await this.storage.remove(path);
    } catch (error) {
      this.logger.warn(`card ${path} is not removed, trying again later: ${String(error)}`);
      await this.uploads.cards.putOffRemoval(path, putOffMs);
      return false;
    }
    await this.uploads.cards.endRemoval(path);
    return true;
  }
}

/** Named by all that it is drawn from, so that another version is another object. */
function rowOf(card: PreviewCard): CardRow {
  const { uid, username, name, text, palette, pictureId, offering } = card;
  const drawn = JSON.stringify([design, username, name, text, palette, pictureId, offering ?? null]);
  const hash = createHash('sha256').update(drawn).digest('base64url').slice(0, 27);
  const ownerId = offering?.id ?? uid;
  return { path: `preview_cards/${uid}/${ownerId}/${hash}.jpg`, uid, ownerId };
}
