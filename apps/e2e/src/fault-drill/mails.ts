import { withClient } from '@stoa/system';
import { type Mail, mails, mailSource } from '../mail-catcher.ts';
import { receiptSubject } from '../deletion-drill/leaver.ts';
import { theSystem } from '../system.ts';

/**
 * The mails that came of the drill's contact messages, and the receipts of accounts that are deleted; the catcher keeps
 * the latest alone, so they are looked at as they come.
 */
export class DrillMails {
  /** By the message's id, or the address of who has left: the ids of the mails, and what each calls itself. */
  readonly #found = new Map<string, Map<string, string>>();

  async look(): Promise<void> {
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

  /** Whether something was mailed of this message, or to the address of who has left. */
  has(of: string): boolean {
    return this.#found.has(of);
  }

  /** What was mailed more than once in a way that a mailbox takes for different ones. */
  doubled(): string[] {
    return [...this.#found].filter(([, found]) => new Set(found.values()).size > 1).map(([id]) => id);
  }

  /** Mails that were handed over once more, under the id by which a mailbox knows them again. */
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

/** Has what a killed process had reserved for minutes mailed now, and answers how many messages still wait. */
export function mailNow(): Promise<number> {
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
