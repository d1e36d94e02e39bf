import { creators, payeeOf } from '@stoa/contracts';
import { recordEvent } from '@stoa/messaging';
import { PayeeHistory, type PayeeStanding } from '@stoa/platform';
import { randomUUID } from 'node:crypto';
import type { Prisma } from './generated/prisma/client.ts';
import { type LinkedProfile, type ShownLink, shownLinks, urlsOf } from './payment-links.ts';

type Transaction = Prisma.TransactionClient;

/** What a change of a profile means for where its visitors pay. */
interface Move {
  readonly before: readonly ShownLink[];
  readonly after: readonly ShownLink[];
  /** The fields of links whose payee is new to the account. */
  readonly newFields: string[];
  /** Whether any payee is new, or so recent that its change can be taken back. */
  readonly isLogged: boolean;
}

/** Where the profile of an account leads those who pay. Every call is made with the profile locked. */
export class Payments {
  readonly history = new PayeeHistory('creators', creators.payeeNoted);

  async examine(tx: Transaction, uid: string, profile: LinkedProfile, next: LinkedProfile): Promise<Move> {
    const [before, after] = [shownLinks(profile), shownLinks(next)];
    const shown = new Set(urlsOf(before).map(payeeOf));
    const others = after.filter(({ link }) => !shown.has(payeeOf(link.url)));
    if (others.length === 0) return { before, after, newFields: [], isLogged: false };
    const standing = await this.history.standings(tx, uid, urlsOf(before));
    const are = (wanted: PayeeStanding) => others.filter(({ link }) => standing(link.url) === wanted);
    const newFields = are('new').map(({ field }) => field);
    return { before, after, newFields, isLogged: newFields.length > 0 || are('recent').length > 0 };
  }

  /** Notes a change that was made, and announces one to a payee that is not settled. */
  async follow(tx: Transaction, uid: string, { before, after, newFields, isLogged }: Move): Promise<void> {
    await this.history.follow(tx, uid, urlsOf(before), urlsOf(after));
    if (!isLogged) return;
    await recordEvent(tx, creators.paymentsMoved, {
      ...{ id: randomUUID(), uid, offeringId: null, at: new Date().toISOString() },
      before: before.map(({ link }) => link),
      after: after.map(({ link }) => link),
      follows: newFields.length === 0,
    });
  }

  async restore(tx: Transaction, uid: string, before: LinkedProfile, after: LinkedProfile): Promise<void> {
    await this.history.follow(tx, uid, urlsOf(shownLinks(before)), urlsOf(shownLinks(after)));
  }
}
