import { type Output, media } from '@stoa/contracts';
import { Bus, withoutBudget } from '@stoa/messaging';
import { Sweeper } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { accountRecords } from './account-records.ts';

/** After so long an export is taken up that another gateway has left, or for which a service was missing. */
const everyMs = 15_000;

/**
 * Collects the records of exports from the services, which never call each other, and hands them to media piece by piece.
 * Media leases each export to one gateway: one that dies, or finds a service missing, is followed by another that begins anew.
 */
@Injectable()
export class AccountExportSweeper extends Sweeper {
  constructor(private readonly bus: Bus) {
    super({ firstMs: everyMs, everyMs });
  }

  protected async sweep(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      // Each request has a deadline of its own, however long the round lasts.
      const { export: leased } = await withoutBudget(() => this.bus.ask(media.takeExport, {}));
      if (!leased) return;
      await withoutBudget(() => this.#collect(leased, stopping));
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
