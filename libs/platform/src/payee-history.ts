import { type creators, type Facts, isUsedPayee, limits, type offerings, payeeOf } from '@stoa/contracts';
import { recordEvent, type SqlReader, type SqlTransaction } from '@stoa/messaging';
import { createHash } from 'node:crypto';

type Noted = typeof offerings.payeeNoted | typeof creators.payeeNoted;
type Transaction = SqlReader & SqlTransaction;

/** The service whose pages link to a payee. */
export type PayeeSource = 'offerings' | 'creators';

/**
 * The standing of a payee with an account. `new`: its public pages have not linked to it for `limits.payeeDays`, or
 * the owner has reverted it. `recent`: linked since a change that can still be reverted.
 */
export type PayeeStanding = 'new' | 'recent' | 'settled';

interface Use {
  readonly payee: string;
  readonly since: Date;
  readonly distrusted: boolean;
}

const numberOfOutbox = `nextval(pg_get_serial_sequence('outbox', 'id'))`;
const written = `RETURNING since, ended_at AS "endedAt", distrusted, as_of AS "asOf"`;

const began = `
  INSERT INTO payee (creator_id, source, payee, since, as_of) VALUES ($1::uuid, $2, $3, now(), ${numberOfOutbox})
  ON CONFLICT (creator_id, source, payee) DO UPDATE
     SET ended_at = NULL, distrusted = false, as_of = excluded.as_of,
         since = CASE WHEN payee.distrusted OR payee.ended_at < now() - make_interval(days => $4::int)
                      THEN now() ELSE payee.since END
  ${written}`;

// Condition of a change that can no longer be reverted. A payee without a row was public before the table
// existed.
const ended = `
  INSERT INTO payee (creator_id, source, payee, since, ended_at, as_of)
  VALUES ($1::uuid, $2, $3, now() - make_interval(days => $4::int), now(), ${numberOfOutbox})
  ON CONFLICT (creator_id, source, payee) DO UPDATE SET ended_at = now(), as_of = excluded.as_of
  ${written}`;

/**
 * The payees to which the public pages of an account have linked. Each service that owns links keeps the history of
 * the whole account in its table `payee`. Events of the other service report the changes on its pages.
 */
export class PayeeHistory {
  constructor(
    private readonly source: PayeeSource,
    private readonly noted: Noted,
  ) {}

  /** The standing of links with an account whose pages of this service now link to `shown`. Call it under the account's lock. */
  async standings(
    tx: Transaction,
    uid: string,
    shown: readonly string[],
  ): Promise<(link: string) => PayeeStanding> {
    const uses = await tx.$queryRawUnsafe<Use[]>(
      `SELECT payee, since, distrusted FROM payee
        WHERE creator_id = $1::uuid AND (ended_at IS NULL OR ended_at > now() - make_interval(days => $2::int))`,
      uid,
      limits.payeeDays,
    );
    const trusted = uses.filter(({ distrusted }) => !distrusted);
    const known = new Set(keysOf(uses.map(({ payee }) => payee)));
    const unrecorded = keysOf(shown).filter((payee) => !known.has(payee));
    const oldest = Date.now() - limits.linkUndoDays * 86_400_000;
    const spelt = (rows: readonly Use[]) => keysOf(rows.map(({ payee }) => payee));
    const used = new Set([...unrecorded, ...spelt(trusted)]);
    const settled = new Set([...unrecorded, ...spelt(trusted.filter(({ since }) => +since <= oldest))]);
    return (link) => {
      const payee = keyOf(link);
      if (payee === null || !isUsedPayee(payee, used)) return 'new';
      return isUsedPayee(payee, settled) ? 'settled' : 'recent';
    };
  }

  /** Records that the pages of this service link to `after` instead of `before`. */
  async follow(
    tx: Transaction,
    uid: string,
    before: readonly string[],
    after: readonly string[],
  ): Promise<void> {
    const [left, led] = [keysOf(before), keysOf(after)];
    for (const payee of left) if (!led.includes(payee)) await this.#write(tx, ended, uid, payee);
    for (const payee of led) if (!left.includes(payee)) await this.#write(tx, began, uid, payee);
  }

  /** Records what the other service announced about a payee on its pages. Older facts are ignored. */
  async note(tx: Transaction, source: PayeeSource, facts: Facts<Noted>): Promise<void> {
    const { uid, payee, since, endedAt, distrusted, asOf } = facts;
    await tx.$executeRawUnsafe(
      `INSERT INTO payee (creator_id, source, payee, since, ended_at, distrusted, as_of)
       SELECT $1::uuid, $2, $3, $4::timestamptz, $5::timestamptz, $6, $7::bigint
        WHERE NOT EXISTS (SELECT 1 FROM closed_account WHERE uid = $1::uuid)
       ON CONFLICT (creator_id, source, payee) DO UPDATE
          SET since = excluded.since, ended_at = excluded.ended_at, distrusted = excluded.distrusted, as_of = excluded.as_of
        WHERE payee.as_of < excluded.as_of`,
      ...[uid, source, payee, since, endedAt, distrusted, asOf],
    );
  }

  /** Makes these links need a recent log-in again, because the owner has reverted the change that added them. */
  async distrust(tx: Transaction, uid: string, links: readonly string[]): Promise<void> {
    const payees = keysOf(links);
    await tx.$executeRawUnsafe(
      'UPDATE payee SET distrusted = true WHERE creator_id = $1::uuid AND payee = ANY($2::text[])',
      uid,
      payees,
    );
    const own = await tx.$queryRawUnsafe<(Written & { payee: string })[]>(
      `UPDATE payee SET as_of = ${numberOfOutbox}
        WHERE creator_id = $1::uuid AND source = $2 AND payee = ANY($3::text[]) ${written}, payee`,
      ...[uid, this.source, payees],
    );
    for (const { payee, ...row } of own) await this.#announce(tx, uid, payee, row);
  }

  async forgetAccount(tx: Transaction, uid: string): Promise<void> {
    await tx.$executeRawUnsafe('DELETE FROM payee WHERE creator_id = $1::uuid', uid);
  }

  /** Deletes up to 1000 rows that no rule needs any more. */
  async forgetOld(tx: Transaction): Promise<void> {
    await tx.$executeRawUnsafe(
      `DELETE FROM payee WHERE (creator_id, source, payee) IN (
         SELECT creator_id, source, payee FROM payee WHERE ended_at < now() - make_interval(days => $1::int)
          ORDER BY ended_at LIMIT 1000)`,
      limits.payeeDays,
    );
  }

  async #write(tx: Transaction, statement: string, uid: string, payee: string): Promise<void> {
    const days = statement === began ? limits.payeeDays : limits.linkUndoDays;
    const [row] = await tx.$queryRawUnsafe<Written[]>(statement, uid, this.source, payee, days);
    if (row) await this.#announce(tx, uid, payee, row);
  }

  async #announce(tx: Transaction, uid: string, payee: string, row: Written): Promise<void> {
    await recordEvent(tx, this.noted, {
      ...{ uid, payee, distrusted: row.distrusted, asOf: Number(row.asOf) },
      since: row.since.toISOString(),
      endedAt: row.endedAt?.toISOString() ?? null,
    });
  }
}

interface Written {
  readonly since: Date;
  readonly endedAt: Date | null;
  readonly distrusted: boolean;
  readonly asOf: bigint;
}

/**
 * A payee as stored. The query of a link grows in the one spelling; a spelling too long for the index is stored as a
 * digest, written as a link so that it keeps its scheme.
 */
function keyOf(link: string): string | null {
  const payee = payeeOf(link);
  if (payee === null || payee.length <= limits.urlLength) return payee;
  const [scheme = '', place = ''] = payee.split(/:(.*)/s);
  return `${scheme}://sha256.${createHash('sha256').update(place).digest('hex')}`;
}

const keysOf = (links: readonly string[]): string[] => [
  ...new Set(links.flatMap((link) => keyOf(link) ?? [])),
];
