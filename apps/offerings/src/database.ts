import { clientOptions, ownPool, poolOptions, ServicePool } from '@stoa/platform';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './generated/prisma/client.ts';
import { OfferingsConfig } from './offerings.config.ts';

/** The database of this service, through one pool that all its repositories share. */
@Injectable()
export class Database extends PrismaClient implements OnApplicationShutdown {
  constructor(config: OfferingsConfig) {
    super({ adapter: new PrismaPg(new ServicePool(poolOptions(config)), ownPool), ...clientOptions });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.$disconnect();
  }
}
