import { Sweeper } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { Sessions } from './sessions.repository.ts';

const hourMs = 3_600_000;
/** Rows of one SQL statement, so few that it takes milliseconds. */
const batchSize = 1000;

/** Deletes the browsers of expired sessions, because Keycloak sends no event when a session expires. */
@Injectable()
export class SessionBrowsersSweeper extends Sweeper {
  constructor(private readonly sessions: Sessions) {
    super({ firstMs: 60_000, everyMs: hourMs });
  }

  protected async sweep(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.sessions.deleteExpiredBrowsers(batchSize)) === batchSize);
  }
}
