import { clientOptions, ownPool, poolOptions, ServicePool } from '@stoa/platform';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './generated/prisma/client.ts';
import { MediaConfig } from './media.config.ts';

// Milliseconds that a statement may take. Statements are fast, so a slower one means that the database hangs.
const statementMs = 4000;

/** The only Prisma client of the process, so that all repositories share one connection pool. */
@Injectable()
export class Database extends PrismaClient implements OnApplicationShutdown {
  constructor(config: MediaConfig) {
    const pool = new ServicePool({ ...poolOptions(config), query_timeout: statementMs });
    super({ adapter: new PrismaPg(pool, ownPool), ...clientOptions });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.$disconnect();
  }
}
