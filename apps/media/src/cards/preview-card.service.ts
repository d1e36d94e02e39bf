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

/** Drawing a card takes half a second and the gateway waits eight seconds, so 16 cards may wait. */
const drawing = { concurrency: 1, waiting: 16 };
const leaseMs = 30_000;
const pollMs = 250;
const longestMs = 10_000;
/** Milliseconds without a request after which a card is removed. A later request draws it again. */
const retentionMs = 30 * 24 * 60 * 60_000;
/** Longer than the gateway serves stale answers, so that none of them leads to a new card. */
const withdrawnMs = 24 * 60 * 60_000;
/** A position higher than that of any event, for decisions that no event may change. */
const last = 2n ** 63n - 1n;
const removalBatch = 20;
const removalBatches = 50;
/** After this many failures in a row, the removal stops: the object store is probably down. */
const mostFailures = 5;
const retryMs = 10 * 60_000;
/**
 * Increase it with each change of the design: the number is part of the hash, so all cards are drawn again.
 */
const design = 2;
/** In pixels: large enough for a card, and small enough to be read quickly. */
const pictureWidth = 768;

/**
 * Draws preview cards on request, each only once, and removes the cards of pages that are no longer public.
 */
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

  /** Returns the path of the card. Draws the card first if it does not exist. */
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

  async allow(ownerId: string, position: bigint): Promise<void> {
    await this.cards.allow(ownerId, position);
  }

  /**
   * Removes the cards of a page that is no longer public. Without `position` no event can allow them again.
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
    // Concurrent requests to this replica share its lease, so they must also share one drawing.
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
    // Another replica may have removed the card before this one stored the object.
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
   * Reads the creator's picture in the smallest sufficient width. Null if it is missing, because a card
   * without a picture is better than none.
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

  /** Returns whether the card was removed. If the store refuses, the caller continues with the next card. */
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

/** The path contains a hash of everything on the card, so that caches never serve an outdated one. */
function rowOf(card: PreviewCard): CardRow {
  const { uid, username, name, text, palette, pictureId, offering } = card;
  const drawn = JSON.stringify([design, username, name, text, palette, pictureId, offering ?? null]);
  const hash = createHash('sha256').update(drawn).digest('base64url').slice(0, 27);
  const ownerId = offering?.id ?? uid;
  return { path: `preview_cards/${uid}/${ownerId}/${hash}.jpg`, uid, ownerId };
}
