import { Inject, Injectable } from '@nestjs/common';
import { Database } from './database.ts';
import { EventListeners } from './event-listeners.ts';
import { Sweeper } from './sweeper.ts';

/** Days for which inbox rows are kept: longer than the stream keeps an event and may deliver it again. */
const keptDays = 60;
const hourMs = 3_600_000;
const batchRows = 1000;

/** Deletes inbox rows of events that can no longer be delivered. */
@Injectable()
export class InboxSweeper extends Sweeper {
  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(EventListeners) private readonly listeners: EventListeners,
  ) {
    super({ firstMs: 60_000, everyMs: hourMs });
  }

  protected override async sweep(stopping: AbortSignal): Promise<void> {
    if (!this.listeners.any) return;
    for (let deleted = batchRows; deleted === batchRows && !stopping.aborted;) {
      const rows = await this.database.query(
        `DELETE FROM inbox WHERE event_id IN (
           SELECT event_id FROM inbox WHERE received_at < now() - interval '${keptDays} days' LIMIT ${batchRows})
         RETURNING 1 AS deleted`,
      );
      deleted = rows.length;
    }
  }
}
