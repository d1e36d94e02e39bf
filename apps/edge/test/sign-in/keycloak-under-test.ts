import type { Bus } from '@stoa/messaging';
import { RealmUnderTest, type RealmPerson, RealmVisitor, testParts } from '@stoa/testing';
import { createHmac } from 'node:crypto';
import { PasswordChanges } from '../../src/accounts/password-changes.ts';
import { ReservedUsernames } from '../../src/accounts/reserved-usernames.ts';
import { SignInLimits } from '../../src/sign-in/sign-in-limits.ts';
import { SignInProxy } from '../../src/sign-in/sign-in.proxy.ts';
import { configuration, listen } from '../proxies-under-test.ts';

/** Runs the sign-in proxy in front of a real Keycloak. */
export class EdgeUnderTest {
  #addresses = 0;

  private constructor(
    readonly realm: RealmUnderTest,
    readonly url: string,
    readonly stop: () => Promise<void>,
    readonly reserved: ReservedUsernames,
  ) {}

  static async open(changes: Record<string, string> = {}): Promise<EdgeUnderTest> {
    const { keycloak, siteUrl } = testParts();
    const config = configuration({
      SITE_URL: siteUrl,
      KEYCLOAK_URL: keycloak.publicUrl,
      KEYCLOAK_INTERNAL_URL: keycloak.url,
      TRUST_PROXY: '1',
      ANSWER_STEP_MS: '1',
      ...changes,
    });
    const reserved = new ReservedUsernames();
    const proxy = await new SignInProxy(
      config,
      new SignInLimits(config, {} as Bus),
      new PasswordChanges(),
      reserved,
    ).build();
    return new EdgeUnderTest(await RealmUnderTest.open(), await listen(proxy), () => proxy.close(), reserved);
  }

  /** A visitor with a new browser and network address. */
  visitor(): RealmVisitor {
    this.#addresses += 1;
    // Keycloak accepts HTTP only from private networks.
    return new RealmVisitor(this.url, `10.0.0.${this.#addresses % 250}`);
  }

  /** Logs in, and waits until the log-in is too old to count as a fresh one. */
  async signedIn({ username, password }: RealmPerson): Promise<RealmVisitor> {
    const visitor = this.visitor();
    await visitor.begin();
    await visitor.logIn(username, password);
    if (!visitor.callback) throw new Error(`Not signed in: ${visitor.errors.join(' ')}`);
    await nextSecond();
    return visitor;
  }

  /** Sets up an authenticator app for the account, and returns its key. */
  async addAuthenticator({ username, password }: RealmPerson): Promise<string> {
    const visitor = this.visitor();
    await visitor.begin({ kc_action: 'CONFIGURE_TOTP' });
    await visitor.logIn(username, password);
    const key = /name="totpSecret" value="([^"]+)"/.exec(visitor.html)?.[1] ?? '';
    await visitor.submit('kc-totp-settings-form', { totp: codeOf(key), userLabel: 'phone' });
    if (!visitor.callback) throw new Error(`No authenticator was added: ${visitor.errors.join(' ')}`);
    return key;
  }
}

/** Waits for the next whole second, because Keycloak measures the age of a log-in in seconds. */
const nextSecond = () =>
  new Promise((resolve) => setTimeout(resolve, 1010 - (Date.now() % 1000)).unref()).then(() => undefined);

/** Computes the code that an authenticator app with this key shows (RFC 6238). */
export function codeOf(key: string, stepsFromNow = 0): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + stepsFromNow));
  const digest = createHmac('sha1', key).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 0xf;
  return String((digest.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 1_000_000).padStart(6, '0');
}
