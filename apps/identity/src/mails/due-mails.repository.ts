import { type LeasedRow, Leases } from '@stoa/platform';
import type { Database } from '../database.ts';
import type { MailRows } from './due-mailer.ts';
import { Prisma } from '../generated/prisma/client.ts';

interface Queue {
  /** A table with the columns id, uid, made_at, next_try_at and attempts. */
  readonly table: 'dead_link_mail' | 'log_in_warning' | 'review_mail';
  /** Days after which a mail is obsolete. */
  readonly keptDays: number;
  /** Further columns of a mail, in SQL. The row is `taken`. */
  readonly columns: string;
}

/** A due mail with its recipient. */
export interface AddressedMail extends LeasedRow {
  readonly address: string;
  /** The recipient's display name; null when unknown. */
  readonly displayName: string | null;
}

/** An SQL expression for a column of the account of a leased mail. */
export const accountColumn = (column: string) =>
  `(SELECT ${column} FROM account WHERE account.uid = taken.uid) AS "${column}"`;
/** The SQL columns of `AddressedMail` that come from the account. */
export const addresseeColumns = `
  (SELECT proved_email FROM account WHERE account.uid = taken.uid) AS address,
  (SELECT display_name FROM account WHERE account.uid = taken.uid) AS "displayName"`;
/** Only a proved address gets mail. */
export const hasProvedAddress =
  'EXISTS (SELECT 1 FROM account WHERE account.uid = due.uid AND proved_email IS NOT NULL)';

/** Mails caused by events, in a table of their own. For each account only the earliest mail can be leased. */
export abstract class DueMails<Content>
  extends Leases<AddressedMail & Content>
  implements MailRows<AddressedMail & Content>
{
  protected readonly prisma: Database;
  readonly #keptDays: number;

  protected constructor(prisma: Database, { table, keptDays, columns }: Queue) {
    const isCurrent = (row: string) => `${row}.made_at >= now() - interval '${keptDays} days'`;
    const isFirst = `NOT EXISTS (SELECT 1 FROM ${table} AS earlier
       WHERE earlier.uid = due.uid AND (earlier.made_at, earlier.id) < (due.made_at, due.id) AND ${isCurrent('earlier')})`;
    super(prisma, {
      ...{ table, open: 'true', ready: `${hasProvedAddress} AND ${isCurrent('due')} AND ${isFirst}` },
      columns: `${addresseeColumns}, ${columns}`,
    });
    this.prisma = prisma;
    this.#keptDays = keptDays;
  }

  /** Deletes up to `most` obsolete mails and returns how many. Deleting an account deletes its mails. */
  deleteObsolete(most: number): Promise<number> {
    const table = Prisma.raw(this.table);
    return this.prisma.$executeRaw`
      DELETE FROM ${table} WHERE id = ANY (ARRAY(
        SELECT id FROM ${table} WHERE made_at < now() - make_interval(days => ${this.#keptDays}::int) LIMIT ${most}))`;
  }

  async remove(id: string): Promise<void> {
    await this.prisma.$executeRaw`DELETE FROM ${Prisma.raw(this.table)} WHERE id = ${id}::uuid`;
  }
}

/** Deletes the mails to a deleted account. */
export async function deleteMails(tx: Prisma.TransactionClient, uid: string): Promise<void> {
  await tx.exportMail.deleteMany({ where: { uid } });
  await tx.reviewMail.deleteMany({ where: { uid } });
  await tx.deadLinkMail.deleteMany({ where: { uid } });
}
