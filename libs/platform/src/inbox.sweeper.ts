import { Inject, Injectable } from '@nestjs/common';
import { Database } from './database.ts';
import { EventListeners } from './event-listeners.ts';
import { Sweeper } from './sweeper.ts';

/** Longer than the stream keeps an event: until then it may be delivered again. */
const keptDays = 60;
const hourMs = 3_600_000;
/** So few that a statement takes milliseconds. */
const rowsAtOnce = 1000;

/** Forgets which events were handled once none of them can come again. */
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
    for (let forgotten = rowsAtOnce; forgotten === rowsAtOnce && !stopping.aborted;) {
      const rows = await this.database.query(
        `DELETE FROM inbox WHERE event_id IN (
           SELECT event_id FROM inbox WHERE received_at < now() - interval '${keptDays} days' LIMIT ${rowsAtOnce})
         RETURNING 1 AS forgotten`,
      );
      forgotten = rows.length;
    }
  }
}
