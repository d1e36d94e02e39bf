import { withClient } from '@stoa/system';
import { mails, mailSource } from '../mail-catcher.ts';
import { theSystem } from '../system.ts';

/** The mails that came of the drill's contact messages; the catcher keeps the latest alone, so they are looked at as they come. */
export class DrillMails {
  /** By the message's id: the ids of the mails, and what each calls itself. */
  readonly #found = new Map<string, Map<string, string>>();

  async look(): Promise<void> {
    for (const mail of await mails()) {
      const [, message] = /Drill ([0-9a-f-]{36})/.exec(mail.subject) ?? [];
      if (!message) continue;
      const known = this.#found.get(message) ?? new Map<string, string>();
      this.#found.set(message, known);
      if (known.has(mail.id)) continue;
      const source = await mailSource(mail);
      known.set(mail.id, /^message-id:\s*(\S+)/im.exec(source)?.[1] ?? '');
    }
  }

  has(message: string): boolean {
    return this.#found.has(message);
  }

  /** Mails of one message that a mailbox takes for different ones. */
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
