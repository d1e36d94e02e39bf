import { type Account, identity } from '@stoa/contracts';
import { clientOptions, poolOptions, recordEvent } from '@stoa/platform';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import { type Account as Row, PrismaClient } from './generated/prisma/client.ts';
import { IdentityConfig } from './identity.config.ts';

@Injectable()
export class IdentityRepository implements OnApplicationShutdown {
  private readonly prisma: PrismaClient;

  constructor(config: IdentityConfig) {
    this.prisma = new PrismaClient({ adapter: new PrismaPg(poolOptions(config)), ...clientOptions });
  }

  /** The account, made when it is not there; null when another account has the username. */
  open(claims: Omit<Account, 'createdAt'>): Promise<Account | null> {
    const { uid, email, termsAcceptedAt } = claims;
    return this.prisma.$transaction(async (tx) => {
      const { count } = await tx.account.createMany({ data: [claims], skipDuplicates: true });
      if (count === 1) await recordEvent(tx, identity.opened, { uid });
      const known = await tx.account.findUnique({ where: { uid } });
      if (!known) return null;
      // Keycloak owns the address and the consent; both may have changed since the account was opened.
      const same =
        known.email === email && (known.termsAcceptedAt?.toISOString() ?? null) === termsAcceptedAt;
      return toAccount(
        same ? known : await tx.account.update({ where: { uid }, data: { email, termsAcceptedAt } }),
      );
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.prisma.$disconnect();
  }
}

function toAccount(row: Row): Account {
  return {
    ...row,
    termsAcceptedAt: row.termsAcceptedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}
