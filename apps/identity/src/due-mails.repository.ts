import type { DueMail, MailRows } from './due-mailer.ts';
import { Prisma, type PrismaClient } from './generated/prisma/client.ts';

interface Queue<Row, Content> {
  /** With the columns id, uid, made_at, next_try_at and attempts. */
  readonly table: 'dead_link_mail' | 'log_in_warning' | 'review_mail';
  /** After so many days it is old news. */
  readonly keptDays: number;
  /** What a mail takes of its row, and of its account's. */
  readonly columns: readonly (keyof Row & string)[];
  /** Makes of these columns what the mail says. */
  readonly read: (row: Row) => Content;
}

/** A mail that is due, and to whom it goes. */
export interface AddressedMail extends DueMail {
  readonly address: string;
  /** Whose it is; null where that is not known. */
  readonly displayName: string | null;
}

/** Mails that events ask for, in a table of their own. */
export abstract class DueMails<Row, Content> implements MailRows<AddressedMail & Content> {
  protected readonly prisma: PrismaClient;
  readonly #table: Prisma.Sql;
  readonly #columns: Prisma.Sql;
  readonly #keptDays: number;
  readonly #read: (row: Row) => Content;

  protected constructor(prisma: PrismaClient, { table, keptDays, columns, read }: Queue<Row, Content>) {
    this.prisma = prisma;
    this.#table = Prisma.raw(table);
    this.#columns = Prisma.raw(columns.join(', '));
    this.#keptDays = keptDays;
    this.#read = read;
  }

  /** Forgets mails that are old news, a part of them; answers how many. Those of an account go with it. */
  forgetOld(most: number): Promise<number> {
    return this.prisma.$executeRaw`
      DELETE FROM ${this.#table} WHERE id = ANY (ARRAY(
        SELECT id FROM ${this.#table} WHERE made_at < now() - make_interval(days => ${this.#keptDays}::int) LIMIT ${most}))`;
  }

  /**
   * Takes a mail that is due, of one account the earliest alone, and puts off its next try by `leaseMs`. Only a proved address
   * gets mail.
   */
  async takeDue(leaseMs: number): Promise<(AddressedMail & Content) | null> {
    const [due] = await this.prisma.$queryRaw<(AddressedMail & Row)[]>`
      UPDATE ${this.#table} AS mail SET attempts = attempts + 1,
             next_try_at = now() + ${leaseMs}::float8 * interval '1 millisecond'
        FROM account
       WHERE account.uid = mail.uid AND mail.id = (
               SELECT due.id FROM ${this.#table} AS due JOIN account USING (uid)
                WHERE due.next_try_at < now() + interval '1 millisecond' AND proved_email IS NOT NULL
                  AND due.made_at >= now() - make_interval(days => ${this.#keptDays}::int)
                  AND NOT EXISTS (SELECT 1 FROM ${this.#table} AS earlier
                       WHERE earlier.uid = due.uid AND (earlier.made_at, earlier.id) < (due.made_at, due.id)
                         AND earlier.made_at >= now() - make_interval(days => ${this.#keptDays}::int))
                ORDER BY due.next_try_at, due.id LIMIT 1 FOR UPDATE OF due SKIP LOCKED)
      RETURNING mail.id, attempts, proved_email AS address, display_name AS "displayName", ${this.#columns}`;
    return due ? { ...due, ...this.#read(due) } : null;
  }

  async retryIn(id: string, ms: number): Promise<void> {
    // By the database's clock, as it is taken again.
    await this.prisma.$executeRaw`
      UPDATE ${this.#table} SET next_try_at = now() + ${ms}::float8 * interval '1 millisecond' WHERE id = ${id}::uuid`;
  }

  async markMailed(id: string): Promise<void> {
    await this.prisma.$executeRaw`DELETE FROM ${this.#table} WHERE id = ${id}::uuid`;
  }
}

/** Forgets the mails to an account that is gone. */
export async function forgetMails(tx: Prisma.TransactionClient, uid: string): Promise<void> {
  await tx.exportMail.deleteMany({ where: { uid } });
  await tx.reviewMail.deleteMany({ where: { uid } });
  await tx.deadLinkMail.deleteMany({ where: { uid } });
}
