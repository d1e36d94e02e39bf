import { Sweeper } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { RealmReadings } from './realm-readings.repository.ts';

const everyMs = 15_000;

@Injectable()
export class RealmEventsSweeper extends Sweeper {
  constructor(private readonly readings: RealmReadings) {
    super({ everyMs });
  }

  protected sweep(): Promise<void> {
    return this.readings.deleteExpired();
  }
}
