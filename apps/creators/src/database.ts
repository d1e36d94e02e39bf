import { clientOptions, ownPool, poolOptions, ServicePool } from '@stoa/platform';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import { CreatorsConfig } from './creators.config.ts';
import { changeCreator } from './rows/creators.statements.ts';
import { PrismaClient } from './generated/prisma/client.ts';

/** Names the statement of an edit, so that each connection prepares it once. Planning it takes longer than running it. */
const statementNameGenerator = ({ sql }: { sql: string }) => (sql === changeCreator ? 'change-creator' : '');

/** The only Prisma client of the process, so that all repositories share one connection pool. */
@Injectable()
export class Database extends PrismaClient implements OnApplicationShutdown {
  constructor(config: CreatorsConfig) {
    const pool = new ServicePool(poolOptions(config));
    super({ adapter: new PrismaPg(pool, { ...ownPool, statementNameGenerator }), ...clientOptions });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.$disconnect();
  }
}
