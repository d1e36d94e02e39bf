import { limits, type Output, media } from '@stoa/contracts';
import { Bus, withoutBudget } from '@stoa/messaging';
import { Sweeper } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { accountRecords } from './account-records.ts';

/** Milliseconds between rounds. Each round continues exports that another gateway or a service outage has interrupted. */
const everyMs = 15_000;
/** The media service accepts records of an export for this long. Each request has its own, shorter deadline. */
const withinMs = limits.exportCollectHours * 3_600_000;

/**
 * Collects the records of exports from all services and sends them to the media service in pieces. The media service leases
 * each export to one gateway. If that gateway stops or a service is down, another gateway starts again.
 */
@Injectable()
export class AccountExportSweeper extends Sweeper {
  constructor(private readonly bus: Bus) {
    super({ firstMs: everyMs, everyMs, withinMs });
  }

  protected async sweep(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      // Without the deadline of the whole round, so that each request has its own.
      const { export: leased } = await withoutBudget(() => this.bus.ask(media.takeExport, {}));
      if (!leased) return;
      // After an error the export keeps its lease for a while, so that it does not block other exports.
      await withoutBudget(() => this.#collect(leased, stopping)).catch((error: unknown) => {
        this.logger.warn(`attempt ${leased.attempt} of export ${leased.id} failed: ${String(error)}`);
      });
    }
  }

  async #collect({ id, attempt, caller }: Leased, stopping: AbortSignal): Promise<void> {
    for await (const { name, content } of accountRecords(this.bus, caller)) {
      if (stopping.aborted) return;
      await this.bus.ask(media.addToExport, { id, attempt, name, content: content as never }, { caller });
    }
    await this.bus.ask(media.makeExport, { id, attempt }, { caller });
  }
}

type Leased = NonNullable<Output<typeof media.takeExport>['export']>;
