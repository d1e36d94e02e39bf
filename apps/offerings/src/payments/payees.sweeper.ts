import { Sweeper } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { Payees } from './payees.repository.ts';

const everyMs = 60_000;

/** Deletes payees that no public page has linked to for `limits.payeeDays`. */
@Injectable()
export class PayeesSweeper extends Sweeper {
  constructor(private readonly payees: Payees) {
    super({ firstMs: everyMs, everyMs });
  }

  protected async sweep(): Promise<void> {
    await this.payees.deleteExpired();
  }
}
