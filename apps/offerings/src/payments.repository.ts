import { isPublicState, type LinkChangeFacts, offerings, payeeOf } from '@stoa/contracts';
import { recordEvent } from '@stoa/messaging';
import { PayeeHistory, type PayeeStanding } from '@stoa/platform';
import { randomUUID } from 'node:crypto';
import type { Offering as Row, Prisma } from './generated/prisma/client.ts';
import { lastPublicLink } from './payment-link.ts';
import { readableState } from './readable-row.ts';

type Transaction = Prisma.TransactionClient;
type Link = Pick<Row, 'state' | 'paymentUrl'>;

/** Where the public offerings of an account lead those who pay. Every call is made under the account's lock. */
export class Payments {
  readonly history = new PayeeHistory('offerings', offerings.payeeNoted);

  /** What the payee of an offering is to its account; `settled` where visitors are led nowhere else. */
  async standing(
    tx: Transaction,
    creatorId: string,
    before: Link | null,
    after: Link,
  ): Promise<PayeeStanding> {
    const [led, leads] = [shownLink(before), shownLink(after)];
    if (leads === null || (led !== null && payeeOf(led) === payeeOf(leads))) return 'settled';
    const shown = await shownLinks(tx, creatorId);
    const standing = await this.history.standings(
      tx,
      creatorId,
      shown.map(({ paymentUrl }) => paymentUrl),
    );
    return standing(leads);
  }

  /** Notes where a change of an offering leads those who pay, and announces a payee that is not settled. */
  async follow(
    tx: Transaction,
    before: Row | null,
    after: Row | null,
    standing: PayeeStanding,
  ): Promise<void> {
    const { id, creatorId } = after ?? before ?? {};
    const [led, leads] = [shownLink(before), shownLink(after)];
    if (!id || !creatorId || led === leads) return;
    const others = (await shownLinks(tx, creatorId)).filter((shown) => shown.id !== id);
    const linksWith = (link: string | null) => [
      ...others.map(({ paymentUrl }) => paymentUrl),
      ...(link === null ? [] : [link]),
    ];
    await this.history.follow(tx, creatorId, linksWith(led), linksWith(leads));
    if (after && standing !== 'settled') {
      const move = moveOf(after, before && lastPublicLink(before), standing === 'recent');
      await recordEvent(tx, offerings.paymentsMoved, move);
    }
  }
}

/** A page that an operator has hidden keeps its payee: the operator alone shows it again. */
const shownLink = (row: Link | null): string | null =>
  row && isPublicState(readableState(row.state)) ? row.paymentUrl : null;

async function shownLinks(tx: Transaction, creatorId: string): Promise<Pick<Row, 'id' | 'paymentUrl'>[]> {
  const select = { id: true, state: true, paymentUrl: true };
  const rows = await tx.offering.findMany({ where: { creatorId }, select });
  return rows.filter((row) => shownLink(row) !== null);
}

/** What became of the link that visitors saw before. */
function moveOf(
  { id, creatorId, title, paymentUrl }: Row,
  before: string | null,
  follows: boolean,
): LinkChangeFacts {
  const links = (url: string | null) => (url === null ? [] : [{ name: title, url }]);
  const of = { id: randomUUID(), uid: creatorId, offeringId: id, at: new Date().toISOString() };
  return { ...of, before: links(before), after: links(paymentUrl), follows };
}
