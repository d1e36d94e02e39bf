import { isPublicState, type LinkChangeFacts, offerings, type PayeeFacts, payeeOf } from '@stoa/contracts';
import { recordEvent } from '@stoa/messaging';
import { PayeeHistory, type PayeeStanding } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Database } from '../database.ts';
import type { Offering as Row, Prisma } from '../generated/prisma/client.ts';
import { lastPublicLink } from './payment-link.ts';
import { readableState } from '../rows/readable-row.ts';

type Transaction = Prisma.TransactionClient;
type Link = Pick<Row, 'state' | 'paymentUrl'>;

/** The payees of offerings. Methods with a transaction require the account's lock. */
@Injectable()
export class Payees {
  readonly history = new PayeeHistory('offerings', offerings.payeeNoted);

  constructor(private readonly prisma: Database) {}

  /** Stores what creators has announced about a payee of its pages. */
  async note(payee: PayeeFacts): Promise<void> {
    await this.prisma.$transaction((tx) => this.history.note(tx, 'creators', payee));
  }

  async deleteExpired(): Promise<void> {
    await this.history.forgetOld(this.prisma);
  }

  /** The standing of the payee after a change; `settled` if the change does not affect payments. */
  async standing(
    tx: Transaction,
    creatorId: string,
    before: Link | null,
    after: Link,
  ): Promise<PayeeStanding> {
    const [oldLink, newLink] = [shownLink(before), shownLink(after)];
    if (newLink === null || (oldLink !== null && payeeOf(oldLink) === payeeOf(newLink))) return 'settled';
    const shown = await shownLinks(tx, creatorId);
    const standing = await this.history.standings(
      tx,
      creatorId,
      shown.map(({ paymentUrl }) => paymentUrl),
    );
    return standing(newLink);
  }

  /** Records the payees after a change of an offering, and announces a new or recent payee. */
  async record(
    tx: Transaction,
    before: Row | null,
    after: Row | null,
    standing: PayeeStanding,
  ): Promise<void> {
    const { id, creatorId } = after ?? before ?? {};
    const [oldLink, newLink] = [shownLink(before), shownLink(after)];
    if (!id || !creatorId || oldLink === newLink) return;
    const others = (await shownLinks(tx, creatorId)).filter((shown) => shown.id !== id);
    const linksWith = (link: string | null) => [
      ...others.map(({ paymentUrl }) => paymentUrl),
      ...(link === null ? [] : [link]),
    ];
    await this.history.follow(tx, creatorId, linksWith(oldLink), linksWith(newLink));
    if (after && standing !== 'settled') {
      const facts = factsOf(after, before && lastPublicLink(before), standing === 'recent');
      await recordEvent(tx, offerings.paymentsMoved, facts);
    }
  }
}

/** An offering that an operator hides keeps its payee, since its owner cannot show it again. */
const shownLink = (row: Link | null): string | null =>
  row && isPublicState(readableState(row.state)) ? row.paymentUrl : null;

async function shownLinks(tx: Transaction, creatorId: string): Promise<Pick<Row, 'id' | 'paymentUrl'>[]> {
  const select = { id: true, state: true, paymentUrl: true };
  const rows = await tx.offering.findMany({ where: { creatorId }, select });
  return rows.filter((row) => shownLink(row) !== null);
}

function factsOf(
  { id, creatorId, title, paymentUrl }: Row,
  before: string | null,
  follows: boolean,
): LinkChangeFacts {
  const links = (url: string | null) => (url === null ? [] : [{ name: title, url }]);
  const of = { id: randomUUID(), uid: creatorId, offeringId: id, at: new Date().toISOString() };
  return { ...of, before: links(before), after: links(paymentUrl), follows };
}
