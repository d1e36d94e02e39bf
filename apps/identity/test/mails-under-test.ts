import { identity } from '@stoa/contracts';
import {
  makeCaller,
  realmSettings,
  RealmUnderTest,
  type ServiceUnderTest,
  startServiceUnderTest,
  waitFor,
} from '@stoa/testing';
import { Client } from 'pg';
import { expect } from '@jest/globals';
import { IdentityModule } from '../src/identity.module.ts';

const soon = { timeout: 20_000 };

/** identity at work, with the real mailbox of everybody and its database. */
export class MailsUnderTest {
  private constructor(
    readonly service: ServiceUnderTest,
    readonly realm: RealmUnderTest,
    readonly client: Client,
  ) {}

  static async start(): Promise<MailsUnderTest> {
    const realm = await RealmUnderTest.open();
    const folder = new URL('../', import.meta.url);
    const environment = realmSettings();
    const service = await startServiceUnderTest(IdentityModule, { service: 'identity', folder, environment });
    const client = new Client({ connectionString: service.databaseUrl });
    await client.connect();
    return new MailsUnderTest(service, realm, client);
  }

  async anAccount(emailVerified = true) {
    const caller = makeCaller({ emailVerified });
    await this.service.ask(identity.open, {}, caller);
    return caller;
  }

  /** The mails to an address once there are as many. */
  async mailsTo(email: string, count: number) {
    await waitFor(async () => expect(await this.realm.mailsTo(email)).toHaveLength(count), soon);
    return this.realm.mailsTo(email);
  }

  /** How many mails to an account are still to be sent. */
  async waiting(table: 'review_mail' | 'export_mail' | 'dead_link_mail', uid: string): Promise<number> {
    return (await this.client.query(`SELECT 1 FROM ${table} WHERE uid = $1`, [uid])).rows.length;
  }

  async stop(): Promise<void> {
    await this.client.end();
    await this.service.stop();
  }
}
