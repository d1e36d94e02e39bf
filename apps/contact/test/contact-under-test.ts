import type { RelayedMessage, SentMessage } from '@stoa/contracts';
import { adminUrlOf, type ServiceUnderTest, startServiceUnderTest } from '@stoa/testing';
import { randomInt, randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { ContactModule } from '../src/contact.module.ts';
import { MailServer } from './mail-server.ts';

export interface ContactUnderTest {
  readonly service: ServiceUnderTest;
  readonly mail: MailServer;
  /** Connection string of the service's database for a user with all rights. */
  readonly adminUrl: string;
  readonly stored: (ids: string[]) => Promise<Stored[]>;
  readonly provedAddresses: (uid: string) => Promise<string[]>;
  /** Moves a timestamp of stored messages into the past. Returns how many messages had the timestamp. */
  readonly age: (
    ids: string[],
    interval: string,
    what?: 'received_at' | 'mailed_at',
  ) => Promise<number | null>;
  readonly stop: () => Promise<void>;
}

export interface Stored {
  readonly id: string;
  readonly sender: string | null;
}

export async function startContact(environment: Record<string, string> = {}): Promise<ContactUnderTest> {
  const mail = await MailServer.start();
  const service = await startServiceUnderTest(ContactModule, {
    service: 'contact',
    folder: new URL('../', import.meta.url),
    environment: {
      SMTP_URL: mail.url,
      MAIL_FROM: 'Stoa <no-reply@stoa.test>',
      OPERATOR_EMAIL: 'operator@stoa.test',
      SENDER_KEY: 'known to the tests only',
      MAIL_RETRY_MS: '50',
      ...environment,
    },
  });
  const database = new Client({ connectionString: service.databaseUrl });
  await database.connect();
  return {
    service,
    mail,
    adminUrl: adminUrlOf(service),
    stored: async (ids) =>
      (await database.query<Stored>('SELECT id, sender FROM message WHERE id = ANY($1::uuid[])', [ids])).rows,
    provedAddresses: async (uid) => {
      const select = 'SELECT email FROM proved_address WHERE creator_id = $1';
      return (await database.query<{ email: string }>(select, [uid])).rows.map(({ email }) => email);
    },
    age: async (ids, interval, what = 'received_at') => {
      const older = `UPDATE message SET ${what} = ${what} - $2::interval
                      WHERE id = ANY($1::uuid[]) AND ${what} IS NOT NULL`;
      return (await database.query(older, [ids, interval])).rowCount;
    },
    stop: async () => {
      await database.end();
      await service.stop();
      await mail.stop();
    },
  };
}

let networks = randomInt(65_536);
/** Returns an IP address in a network that no other address of the tests uses: limits count by network. */
export const randomIpAddress = (): string => {
  networks = (networks + 1) % 65_536;
  return `10.${networks >> 8}.${networks & 255}.${randomInt(256)}`;
};

export const makeMessage = (changes: Partial<SentMessage> = {}): SentMessage => ({
  id: randomUUID(),
  name: 'Ama Visitor',
  email: 'ama@example.test',
  subject: `Question ${randomUUID()}`,
  message: 'How do I start?\nThank you.',
  sender: randomIpAddress(),
  ...changes,
});

export function makeRelayedMessage(
  changes: Partial<SentMessage> = {},
  mailbox: Partial<RelayedMessage['to']> = {},
): RelayedMessage {
  const username = `creator-${randomUUID().slice(0, 8)}`;
  const to = {
    uid: randomUUID(),
    username,
    displayName: 'Zoë',
    email: `${username}@example.test`,
    emailVerified: true,
    ...mailbox,
  };
  return { ...makeMessage(changes), to };
}
