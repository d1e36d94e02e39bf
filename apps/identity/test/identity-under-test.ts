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

/** Runs the identity service with the real Keycloak; gives tests the received mails and the database. */
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

  /** Opens an account that exists in identity's database but not in Keycloak. */
  async openAccount(emailVerified = true) {
    const caller = makeCaller({ emailVerified });
    const { displayName } = caller;
    await this.service.ask(identity.open, { profile: { displayName, version: 1 } }, caller);
    return caller;
  }

  /** Signs up a user in Keycloak and records the address as proved. */
  async signUpProved(): Promise<RealmPerson> {
    const person = await this.realm.signUp();
    const { uid, username, email } = person;
    await this.realm.change(uid, { emailVerified: true });
    await this.service.ask(identity.open, {}, makeCaller({ uid, username, email, emailVerified: true }));
    return person;
  }

  /** Waits until `count` mails to this address have arrived, and returns them. */
  async mailsTo(email: string, count: number) {
    await waitFor(async () => expect(await this.realm.mailsTo(email)).toHaveLength(count), soon);
    return this.realm.mailsTo(email);
  }

  /** Counts the mails to an account that are stored but not sent. */
  async countUnsent(
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
