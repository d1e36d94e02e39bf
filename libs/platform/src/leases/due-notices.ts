import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { Database } from '../database.ts';
import { Worker } from '../worker.ts';

/** The channel of the trigger function `notify_due`, which a migration of each service with such workers creates. */
const channel = 'due';

/**
 * Wakes each worker when a row of its table becomes due earlier, whichever process wrote it: triggers notify in the
 * transaction of the write. An empty name wakes all workers, and so does a reconnect, because notifications may be lost.
 */
@Injectable()
export class DueNotices implements OnApplicationBootstrap {
  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
  ) {}

  onApplicationBootstrap(): void {
    const workers = this.discovery
      .getProviders()
      .map(({ instance }): unknown => instance)
      .filter((instance) => instance instanceof Worker)
      .filter(({ table }) => table !== undefined);
    if (workers.length === 0) return;
    this.database.listen(channel, (table) => {
      for (const worker of workers) if (!table || worker.table === table) worker.wake();
    });
  }
}
