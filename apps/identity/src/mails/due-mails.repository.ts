import { type LeasedRow, Leases } from '@stoa/platform';
import type { Database } from '../database.ts';
import type { MailRows } from './due-mailer.ts';
import { Prisma } from '../generated/prisma/client.ts';

interface Queue {
  readonly table: 'dead_link_mail' | 'log_in_warning' | 'review_mail';
  /** Days after which a mail is too old to be sent. */
  readonly keptDays: number;
  /** Further columns as SQL expressions. `taken` is the alias of the mail's row. */
  readonly columns: string;
}

export interface AddressedMail extends LeasedRow {
  readonly address: string;
  readonly displayName: string | null;
}

/** SQL that reads a column of the recipient's account. `taken` is the alias of the mail's row. */
export const accountColumn = (column: string) =>
  `(SELECT ${column} FROM account WHERE account.uid = taken.uid) AS "${column}"`;
export const addresseeColumns = `
  (SELECT proved_email FROM account WHERE account.uid = taken.uid) AS address,
  (SELECT display_name FROM account WHERE account.uid = taken.uid) AS "displayName"`;
/** SQL condition: the account of the mail has a proved address. Other addresses may belong to strangers. */
export const hasProvedAddress =
  'EXISTS (SELECT 1 FROM account WHERE account.uid = due.uid AND proved_email IS NOT NULL)';

/** A table of mails. For each account only the earliest mail can be leased, so that mails go out in order. */
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

  /** Deletes up to `most` mails that are too old to be sent, and returns their number. */
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

export async function deleteMails(tx: Prisma.TransactionClient, uid: string): Promise<void> {
  await tx.exportMail.deleteMany({ where: { uid } });
  await tx.reviewMail.deleteMany({ where: { uid } });
  await tx.deadLinkMail.deleteMany({ where: { uid } });
}
