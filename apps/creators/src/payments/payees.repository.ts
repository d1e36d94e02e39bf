import { creators, type PayeeFacts, payeeOf } from '@stoa/contracts';
import { recordEvent } from '@stoa/messaging';
import { PayeeHistory, type PayeeStanding } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Database } from '../database.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { type LinkedProfile, type ShownLink, shownLinks, urlsOf } from './payment-links.ts';

type Transaction = Prisma.TransactionClient;

/** How a change of a profile affects its payees (destinations of payment links). */
interface LinkChange {
  readonly before: readonly ShownLink[];
  readonly after: readonly ShownLink[];
  /** The form fields with links to payees that the account has never had. */
  readonly newFields: string[];
  /** Whether a payee is new, or so recent that the owner may still undo its change. The change is then published. */
  readonly isAnnounced: boolean;
}

/** Remembers the payees of profiles. Before a method with a transaction, the caller must lock the row of the profile. */
@Injectable()
export class Payees {
  readonly history = new PayeeHistory('creators', creators.payeeNoted);

  constructor(private readonly prisma: Database) {}

  /** Stores a fact about a payee that the offerings service has published. */
  async note(payee: PayeeFacts): Promise<void> {
    await this.prisma.$transaction((tx) => this.history.note(tx, 'offerings', payee));
  }

  async deleteExpired(): Promise<void> {
    await this.history.forgetOld(this.prisma);
  }

  async compare(
    tx: Transaction,
    uid: string,
    profile: LinkedProfile,
    next: LinkedProfile,
  ): Promise<LinkChange> {
    const [before, after] = [shownLinks(profile), shownLinks(next)];
    const shown = new Set(urlsOf(before).map(payeeOf));
    const others = after.filter(({ link }) => !shown.has(payeeOf(link.url)));
    if (others.length === 0) return { before, after, newFields: [], isAnnounced: false };
    const standing = await this.history.standings(tx, uid, urlsOf(before));
    const are = (wanted: PayeeStanding) => others.filter(({ link }) => standing(link.url) === wanted);
    const newFields = are('new').map(({ field }) => field);
    return { before, after, newFields, isAnnounced: newFields.length > 0 || are('recent').length > 0 };
  }

  /** Records a change of links. Publishes it if a payee is new or recent, so that the owner gets a mail. */
  async record(
    tx: Transaction,
    uid: string,
    { before, after, newFields, isAnnounced }: LinkChange,
  ): Promise<void> {
    await this.history.follow(tx, uid, urlsOf(before), urlsOf(after));
    if (!isAnnounced) return;
    await recordEvent(tx, creators.paymentsMoved, {
      ...{ id: randomUUID(), uid, offeringId: null, at: new Date().toISOString() },
      before: before.map(({ link }) => link),
      after: after.map(({ link }) => link),
      follows: newFields.length === 0,
    });
  }

  async recordUndo(tx: Transaction, uid: string, before: LinkedProfile, after: LinkedProfile): Promise<void> {
    await this.history.follow(tx, uid, urlsOf(shownLinks(before)), urlsOf(shownLinks(after)));
  }
}
