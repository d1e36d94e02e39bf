import { Sweeper } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { Payees } from './payees.repository.ts';

const everyMs = 60_000;

@Injectable()
export class PayeesSweeper extends Sweeper {
  constructor(private readonly payees: Payees) {
    super({ firstMs: everyMs, everyMs });
  }

  protected async sweep(): Promise<void> {
    await this.payees.deleteExpired();
  }
}
