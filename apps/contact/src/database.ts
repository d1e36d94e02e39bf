import { clientOptions, ownPool, poolOptions, ServicePool } from '@stoa/platform';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import { ContactConfig } from './contact.config.ts';
import { PrismaClient } from './generated/prisma/client.ts';

/** The only Prisma client of the process, so that all repositories share one connection pool. */
@Injectable()
export class Database extends PrismaClient implements OnApplicationShutdown {
  constructor(config: ContactConfig) {
    super({ adapter: new PrismaPg(new ServicePool(poolOptions(config)), ownPool), ...clientOptions });
  }

  onApplicationShutdown(): Promise<void> {
    return this.$disconnect();
  }
}
