import { clientOptions, ownPool, poolOptions, ServicePool } from '@stoa/platform';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './generated/prisma/client.ts';
import { IdentityConfig } from './identity.config.ts';

/** The only Prisma client of the process, so that all repositories share one connection pool. */
@Injectable()
export class Database extends PrismaClient implements OnApplicationShutdown {
  constructor(config: IdentityConfig) {
    super({ adapter: new PrismaPg(new ServicePool(poolOptions(config)), ownPool), ...clientOptions });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.$disconnect();
  }
}
