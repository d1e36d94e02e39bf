import { withClient } from '@stoa/system';
import { type Mail, mails, mailSource } from '@stoa/e2e/mail-catcher';
import { receiptSubject } from '@stoa/e2e/leaver';
import { theSystem } from '@stoa/e2e/system';

/**
 * The mails about the drill's contact messages, and the receipts of deleted accounts. The catcher keeps only the
 * latest mails, so they are collected regularly.
 */
export class DrillMails {
  /**
   * The ids of the mails with the Message-ID of each, by message id or by the address of a deleted account.
   */
  readonly #found = new Map<string, Map<string, string>>();

  async collect(): Promise<void> {
    for (const mail of await mails()) {
      const of = subjectOf(mail);
      if (!of) continue;
      const known = this.#found.get(of) ?? new Map<string, string>();
      this.#found.set(of, known);
      if (known.has(mail.id)) continue;
      const source = await mailSource(mail);
      known.set(mail.id, /^message-id:\s*(\S+)/im.exec(source)?.[1] ?? '');
    }
  }

  /** Whether a mail was sent about this message, or to this address. */
  has(of: string): boolean {
    return this.#found.has(of);
  }

  /** Messages with several mails that a mailbox would show as different ones. */
  doubled(): string[] {
    return [...this.#found].filter(([, found]) => new Set(found.values()).size > 1).map(([id]) => id);
  }

  /** Number of repeated mails with the same Message-ID, by which a mailbox recognises them. */
  repeated(): number {
    return [...this.#found.values()].reduce(
      (sum, found) => sum + found.size - new Set(found.values()).size,
      0,
    );
  }
}

function subjectOf({ subject, to }: Mail): string | undefined {
  if (subject === receiptSubject) return to[0]?.address.toLowerCase();
  return /Drill ([0-9a-f-]{36})/.exec(subject)?.[1];
}

/** Expires the leases of killed processes on messages. Resolves to the number of messages that still wait. */
export function expireMailLeases(): Promise<number> {
  return withClient(theSystem().postgres.urls.contact, async (client) => {
    await client.query(
      `UPDATE message SET next_try_at = now()
        WHERE mailed_at IS NULL AND NOT held AND next_try_at > now() + interval '20 seconds'`,
    );
    const { rows } = await client.query<{ waiting: number }>(
      `SELECT count(*)::int AS waiting FROM message WHERE mailed_at IS NULL AND NOT held AND subject LIKE 'Drill %'`,
    );
    return rows[0]?.waiting ?? 0;
  });
}
