import { Sweeper } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { ContactConfig } from '../contact.config.ts';
import { ContactService } from './contact.service.ts';

@Injectable()
export class ContactSweeper extends Sweeper {
  constructor(
    private readonly service: ContactService,
    config: ContactConfig,
  ) {
    super({ firstMs: 0, everyMs: config.SWEEP_INTERVAL_MS });
  }

  protected sweep(signal: AbortSignal): Promise<void> {
    return this.service.sweep(signal);
  }
}
