import { Sweeper } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { IdentityRepository } from './identity.repository.ts';

const hourMs = 3_600_000;
/** So few that a statement takes milliseconds. */
const rowsAtOnce = 1000;

/** Forgets mails that nobody needs any more. None of them is sent: whoever takes a mail looks at its time. */
@Injectable()
export class DueMailsSweeper extends Sweeper {
  constructor(private readonly accounts: IdentityRepository) {
    super({ firstMs: 60_000, everyMs: hourMs });
  }

  protected async sweep(signal: AbortSignal): Promise<void> {
    const { reviewMails, deadLinkMails, exportMails } = this.accounts;
    for (const mails of [reviewMails, deadLinkMails, exportMails])
      while (!signal.aborted && (await mails.forgetOld(rowsAtOnce)) === rowsAtOnce);
  }
}
