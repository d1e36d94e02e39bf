import { limits, type Output, media } from '@stoa/contracts';
import { Bus, withoutBudget } from '@stoa/messaging';
import { Sweeper } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { accountRecords } from './account-records.ts';

/** Interval at which a gateway resumes exports that another gateway dropped, or that lacked a service. */
const everyMs = 15_000;
/** Media accepts records of an export for this long, then it fails. Single requests have shorter deadlines. */
const withinMs = limits.exportCollectHours * 3_600_000;

/**
 * Collects the records of exports from the services, which never call each other, and sends them to media in pieces. Media
 * leases each export to one gateway. When that gateway dies or a service is missing, another gateway starts the export again.
 */
@Injectable()
export class AccountExportSweeper extends Sweeper {
  constructor(private readonly bus: Bus) {
    super({ firstMs: everyMs, everyMs, withinMs });
  }

  protected async sweep(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      // Without a budget each request has its own deadline, not that of the round.
      const { export: leased } = await withoutBudget(() => this.bus.ask(media.takeExport, {}));
      if (!leased) return;
      // An export that cannot be collected keeps its lease and does not block others.
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
