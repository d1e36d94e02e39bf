import type { PreviewCard } from '@stoa/contracts';
import { Refusal, remainingMs, withoutBudget } from '@stoa/messaging';
import { count, metrics } from '@stoa/telemetry';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import { FairQueue } from './fair-queue.ts';
import { CardRenderer } from '../drawing/card-renderer.ts';
import { CardStorageClient } from '../storage/card-storage.client.ts';
import { MediaRepository } from '../uploads/media.repository.ts';
import {
  type CardRow,
  type CardSelection,
  outdatedRetentionMs,
  PreviewCards,
} from './preview-cards.repository.ts';

/** A card takes half a second, and the gateway waits eight. */
const drawing = { concurrency: 1, waiting: 16 };
const leaseMs = 30_000;
const pollMs = 250;
const longestMs = 10_000;
/** A card without requests for this time is removed; a later request draws it again. */
const retentionMs = 30 * 24 * 60 * 60_000;
/** Longer than the gateway serves stale answers. */
const withdrawnMs = 24 * 60 * 60_000;
/** The position after every event of an owner. */
const last = 2n ** 63n - 1n;
const removalBatch = 20;
const removalBatches = 50;
/** After this many consecutive failures the store is considered down. */
const mostFailures = 5;
const retryMs = 10 * 60_000;
/** Must change with the design of cards, so that all are drawn again. */
const design = 2;
/** Wide enough for a card and small enough to be read quickly. */
const pictureWidth = 768;

/** Draws cards on request, each once, and removes cards of withdrawn or deleted pages. */
@Injectable()
export class PreviewCardService implements BeforeApplicationShutdown {
  private readonly logger = new Logger(PreviewCardService.name);
  private readonly drawing = new FairQueue(drawing);
  private readonly removing = pLimit(1);
  private readonly underWay = new Map<string, Promise<void>>();
  private isStopping = false;

  constructor(
    private readonly uploads: MediaRepository,
    private readonly cards: PreviewCards,
    private readonly storage: CardStorageClient,
    private readonly renderer: CardRenderer,
  ) {}

  /** The path of the card, which is drawn first if necessary. */
  async locate(card: PreviewCard): Promise<{ path: string }> {
    const row = rowOf(card);
    const endsAt = performance.now() + remainingMs(longestMs);
    for (let redraw = false; performance.now() < endsAt;) {
      const known = this.underWay.get(row.path);
      if (known) {
        await known;
        return { path: row.path };
      }
      const state = await this.cards.take(row, { retentionMs, leaseMs, redraw });
      if (state === 'withdrawn') throw new Refusal('not_found', 'There is no such card.');
      if (state === 'ours') {
        await this.drawOnce(row, card);
        return { path: row.path };
      }
      if (state === 'elsewhere') await pause(pollMs);
      else if (await this.storage.has(row.path)) return { path: row.path };
      else redraw = true;
    }
    throw new Refusal('unavailable', 'The card is still being drawn. Please try again in a moment.');
  }

  /** Allows cards of a page that is public again. */
  async allow(ownerId: string, position: bigint): Promise<void> {
    await this.cards.allow(ownerId, position);
  }

  /**
   * Removes the cards of a page that is no longer public; permanently, unless a later position can follow.
   */
  async remove(of: CardSelection, position = last): Promise<void> {
    await this.cards.withdraw(of, position, withdrawnMs);
    withoutBudget(() => this.removing(() => this.removeDue(new AbortController().signal))).catch(
      (error: unknown) => {
        this.logger.warn(`the removal of cards is left to the sweeper: ${String(error)}`);
      },
    );
  }

  async sweep(stopping: AbortSignal): Promise<void> {
    await this.removing(() => this.removeDue(stopping));
    await this.cards.deleteExpiredWithdrawals();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await this.removing(() => undefined);
    await Promise.allSettled(this.underWay.values());
  }

  private drawOnce(row: CardRow, card: PreviewCard): Promise<void> {
    const { path } = row;
    // Concurrent callers of this replica may all have got the lease.
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
      await this.cards.abandon(row);
      throw error;
    }
    count(metrics.cardsDrawn);
    // Another replica may have removed the card before this object was written.
    if (!(await this.cards.end(row, outdatedRetentionMs))) await this.storage.remove(row.path);
  }

  private async render(card: PreviewCard, picture: Buffer | null): Promise<Buffer> {
    try {
      return await this.renderer.render({ card, picture });
    } catch (error) {
      this.logger.error(error);
      throw new Refusal('unavailable', 'The card could not be drawn. Please try again in a moment.', [], 60);
    }
  }

  /**
   * The creator's picture in the smallest sufficient width; null when it is missing, because a card without
   * picture is better than none.
   */
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
      const due = await this.cards.beginRemoval(removalBatch, leaseMs);
      for (const { path } of due) {
        if (stopping.aborted || this.isStopping) return;
        failures = (await this.removeOne(path)) ? 0 : failures + 1;
        if (failures === mostFailures)
          throw new Error(`the store refused to remove ${failures} cards in a row`);
      }
      if (due.length < removalBatch) return;
    }
  }

  /** Returns whether the card was removed. A refusal of the store must not block the other cards. */
  private async removeOne(path: string): Promise<boolean> {
    try {
      await this.storage.remove(path);
    } catch (error) {
      this.logger.warn(`card ${path} was not removed and is retried: ${String(error)}`);
      await this.cards.putOffRemoval(path, retryMs);
      return false;
    }
    await this.cards.endRemoval(path);
    return true;
  }
}

/** The path contains a hash of everything drawn, so that each version is a new object. */
function rowOf(card: PreviewCard): CardRow {
  const { uid, username, name, text, palette, pictureId, offering } = card;
  const drawn = JSON.stringify([design, username, name, text, palette, pictureId, offering ?? null]);
  const hash = createHash('sha256').update(drawn).digest('base64url').slice(0, 27);
  const ownerId = offering?.id ?? uid;
  return { path: `preview_cards/${uid}/${ownerId}/${hash}.jpg`, uid, ownerId };
}
