import { type VisitBatch, visits } from '@stoa/contracts';
import { Listens } from '@stoa/messaging';
import { Injectable } from '@nestjs/common';
import { VisitsService } from './visits.service.ts';

@Injectable()
export class VisitsListener {
  constructor(private readonly service: VisitsService) {}

  /** Each visit has an id, so that it counts once even if a browser sends it again. */
  @Listens(visits.counted)
  counted(batch: VisitBatch): Promise<void> {
    return this.service.count(batch);
  }
}
