import { Sweeper } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { IdentityRepository } from './identity.repository.ts';

const hourMs = 3_600_000;
/** So few that a statement takes milliseconds. */
const rowsAtOnce = 1000;

/** Forgets the browsers of sessions that ran out, which Keycloak announces nowhere. */
@Injectable()
export class SessionBrowsersSweeper extends Sweeper {
  constructor(private readonly accounts: IdentityRepository) {
    super({ firstMs: 60_000, everyMs: hourMs });
  }

  protected async sweep(signal: AbortSignal): Promise<void> {
    const { sessionBrowsers } = this.accounts;
    while (!signal.aborted && (await sessionBrowsers.forgetOld(rowsAtOnce)) === rowsAtOnce);
  }
}
