import { Sweeper } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { VisitsService } from './visits.service.ts';

const hourMs = 3_600_000;

@Injectable()
export class VisitsSweeper extends Sweeper {
  constructor(private readonly service: VisitsService) {
    super({ firstMs: 60_000, everyMs: hourMs });
  }

  protected async sweep(stopping: AbortSignal): Promise<void> {
    await this.service.deleteExpired(stopping);
  }
}
