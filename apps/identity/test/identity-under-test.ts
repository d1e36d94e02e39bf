import { identity } from '@stoa/contracts';
import {
  makeCaller,
  type RealmPerson,
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

/** identity at work beside the real Keycloak, with the mailbox of everybody and its database. */
export class IdentityUnderTest {
  private constructor(
    readonly service: ServiceUnderTest,
    readonly realm: RealmUnderTest,
    readonly client: Client,
  ) {}

  static async start(): Promise<IdentityUnderTest> {
    const realm = await RealmUnderTest.open();
    const folder = new URL('../', import.meta.url);
    const environment = realmSettings();
    const service = await startServiceUnderTest(IdentityModule, { service: 'identity', folder, environment });
    const client = new Client({ connectionString: service.databaseUrl });
    await client.connect();
    return new IdentityUnderTest(service, realm, client);
  }

  /** Somebody whose first sign-in identity has seen; of Keycloak it is unknown. */
  async anAccount(emailVerified = true) {
    const caller = makeCaller({ emailVerified });
    const { displayName } = caller;
    await this.service.ask(identity.open, { profile: { displayName, version: 1 } }, caller);
    return caller;
  }

  /** Somebody who has proved their address, as identity knows since their last sign-in. */
  async aProvedPerson(): Promise<RealmPerson> {
    const person = await this.realm.signUp();
    const { uid, username, email } = person;
    await this.realm.change(uid, { emailVerified: true });
    await this.service.ask(identity.open, {}, makeCaller({ uid, username, email, emailVerified: true }));
    return person;
  }

  /** The mails to an address once there are as many. */
  async mailsTo(email: string, count: number) {
    await waitFor(async () => expect(await this.realm.mailsTo(email)).toHaveLength(count), soon);
    return this.realm.mailsTo(email);
  }

  /** How many mails to an account are still to be sent. */
  async waiting(
    table: 'review_mail' | 'export_mail' | 'dead_link_mail' | 'log_in_warning',
    uid: string,
  ): Promise<number> {
    return (await this.client.query(`SELECT 1 FROM ${table} WHERE uid = $1`, [uid])).rows.length;
  }

  async stop(): Promise<void> {
    await this.client.end();
    await this.service.stop();
  }
}
