import { Sweeper } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { DeadLinkMails } from './dead-link-mails.repository.ts';
import { ExportMails } from './export-mails.repository.ts';
import { LogInWarnings } from './log-in-warnings.repository.ts';
import { ReviewMails } from './review-mails.repository.ts';

const hourMs = 3_600_000;
/** Rows of one SQL statement, so few that it takes milliseconds. */
const batchSize = 1000;

/** Deletes mails that are too old to be sent, to free space. The mailers do not send them in any case. */
@Injectable()
export class DueMailsSweeper extends Sweeper {
  constructor(
    private readonly reviewMails: ReviewMails,
    private readonly deadLinkMails: DeadLinkMails,
    private readonly exportMails: ExportMails,
    private readonly logInWarnings: LogInWarnings,
  ) {
    super({ firstMs: 60_000, everyMs: hourMs });
  }

  protected async sweep(signal: AbortSignal): Promise<void> {
    for (const mails of [this.reviewMails, this.deadLinkMails, this.exportMails, this.logInWarnings])
      while (!signal.aborted && (await mails.deleteObsolete(batchSize)) === batchSize);
  }
}
