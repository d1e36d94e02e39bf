import { mailboxOf } from '@stoa/contracts';
import { Bus } from '@stoa/messaging';
import {
  type HeldRequest,
  RateLimiter,
  type RateVerdict,
  shareLimits,
  subscriberNetwork,
} from '@stoa/platform';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { createHmac } from 'node:crypto';
import { DeviceCookies } from './device-cookie.ts';
import { EdgeConfig } from '../edge.config.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** One unknown network may use 1/4 of a mailbox's daily mails. */
const networksOfDay = 4;
const passed: RateVerdict = { allowed: true, retryAfter: 0 };
const unlimited: HeldRequest = { ...passed, count: () => undefined, release: () => undefined };

type Limit =
  | 'requests'
  | 'tokens'
  | 'logIns'
  | 'registrations'
  | 'resets'
  | 'strangers'
  | 'passwords'
  | 'device'
  | 'codes'
  | 'mails'
  | 'mailsOfDay'
  | 'recipient'
  | 'recipientOfDay';

/** Rate limits of the sign-in proxy: by network address against floods, by account against guessing passwords. */
@Injectable()
export class SignInLimits implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #limiter: RateLimiter<Limit>;
  readonly #devices: DeviceCookies;
  readonly #bus: Bus;
  readonly #key: string;
  readonly #logger = new Logger(SignInLimits.name);
  #stopSharing: () => void = () => undefined;

  constructor(config: EdgeConfig, bus: Bus) {
    this.#bus = bus;
    this.#key = config.DEVICE_KEY;
    this.#devices = new DeviceCookies(config.DEVICE_KEY, new URL(config.KEYCLOAK_URL));
    this.#limiter = new RateLimiter<Limit>(
      {
        requests: { limit: config.REQUEST_LIMIT_PER_MINUTE, periodMs: minute },
        tokens: { limit: config.TOKEN_LIMIT_PER_MINUTE, periodMs: minute },
        logIns: { limit: config.LOG_IN_LIMIT_PER_HOUR, periodMs: hour },
        registrations: { limit: config.REGISTRATION_LIMIT_PER_HOUR, periodMs: hour },
        resets: { limit: config.RESET_LIMIT_PER_HOUR, periodMs: hour },
        strangers: { limit: config.ACCOUNT_TRIES, periodMs: config.ACCOUNT_TRIES_MINUTES * minute },
        device: { limit: config.ACCOUNT_TRIES, periodMs: config.ACCOUNT_TRIES_MINUTES * minute },
        // `outlivesEviction`: an attacker who invents many names must not push out the count of an account or mailbox.
        passwords: { limit: config.ACCOUNT_TRIES_PER_DAY, periodMs: day, outlivesEviction: true },
        codes: { limit: config.CODE_TRIES_PER_DAY, periodMs: day, outlivesEviction: true },
        mails: { limit: config.RESET_MAILS_PER_HOUR, periodMs: hour, outlivesEviction: true },
        mailsOfDay: {
          limit: Math.ceil(config.MAILS_PER_RECIPIENT_AND_DAY / networksOfDay),
          periodMs: day,
          outlivesEviction: true,
        },
        recipient: { limit: config.MAILS_PER_RECIPIENT_AND_HOUR, periodMs: hour, outlivesEviction: true },
        recipientOfDay: { limit: config.MAILS_PER_RECIPIENT_AND_DAY, periodMs: day, outlivesEviction: true },
      },
      { secret: config.DEVICE_KEY },
    );
  }

  onApplicationBootstrap(): void {
    this.#stopSharing = shareLimits(this.#limiter, this.#bus, 'edge');
  }

  beforeApplicationShutdown(): void {
    this.#stopSharing();
  }

  checkAddress(
    limit: 'requests' | 'tokens' | 'logIns' | 'registrations' | 'resets',
    address: string,
  ): RateVerdict {
    return this.#check(limit, subscriberNetwork(address));
  }

  /**
   * Counts an attempt to log in to an account, which may not exist. Browsers that have logged in to it have their own count,
   * so that attackers cannot lock out the owner.
   */
  checkAccount(account: string | undefined, cookies: string | undefined): RateVerdict {
    if (account === undefined) return passed;
    const device = this.#devices.deviceOf(account, cookies);
    return device ? this.#check('device', device) : this.#check('strangers', account);
  }

  /**
   * Reserves an attempt; a wrong password counts for a day. All known browsers of an account share one count, all unknown
   * browsers another one, so that strangers cannot use up the owner's attempts.
   */
  holdPassword(account: string | undefined, cookies: string | undefined): HeldRequest {
    if (account === undefined) return unlimited;
    return this.#hold('passwords', `${this.#whose(account, cookies)} ${account}`);
  }

  /** Reserves an attempt at a second-factor code, like `holdPassword`. A wrong code counts for a day. */
  holdCode(account: string, factor: string, cookies: string | undefined): HeldRequest {
    return this.#hold('codes', `${this.#whose(account, cookies)} ${factor}`);
  }

  /**
   * Counts a mail to a mailbox. A browser that has logged in with this confirmed address uses the owner's share first. Other
   * browsers share a limit, of which each network gets a part, so that one attacker cannot use it up.
   */
  checkMail(recipient: string, address: string, cookies: string | undefined): RateVerdict {
    const mailbox = mailboxOf(recipient);
    if (this.#devices.deviceOf(mailAccount(recipient), cookies) !== undefined) {
      const ofHour = this.#check('mails', `known ${mailbox}`);
      if (ofHour.allowed && this.#check('recipientOfDay', `known ${mailbox}`).allowed) return passed;
    }
    const network = `${subscriberNetwork(address)} ${mailbox}`;
    return this.#checkEach([
      ['mails', network],
      ['mailsOfDay', network],
      ['recipient', mailbox],
      ['recipientOfDay', mailbox],
    ]);
  }

  /** The `Set-Cookie` header for a browser that has logged in to an account with this name. */
  deviceCookie(account: string): string {
    return this.#devices.issue(account);
  }

  /** The `Set-Cookie` header for a browser that has logged in to an account with this confirmed address. */
  mailCookie(address: string): string {
    return this.#devices.issue(mailAccount(address));
  }

  #checkEach(limits: readonly (readonly [limit: Limit, key: string])[]): RateVerdict {
    for (const [limit, key] of limits) {
      const verdict = this.#check(limit, key);
      if (!verdict.allowed) return verdict;
    }
    return passed;
  }

  #whose(account: string, cookies: string | undefined): 'known' | 'strange' {
    return this.#devices.deviceOf(account, cookies) ? 'known' : 'strange';
  }

  /** Checks a limit and logs a refusal. The log contains a pseudonym instead of the account or address. */
  #check(limit: Limit, key: string): RateVerdict {
    return this.#logged(this.#limiter.check(limit, key), limit, key);
  }

  #hold(limit: Limit, key: string): HeldRequest {
    return this.#logged(this.#limiter.hold(limit, key), limit, key);
  }

  #logged<Verdict extends RateVerdict>(verdict: Verdict, limit: Limit, key: string): Verdict {
    if (!verdict.allowed)
      this.#logger.warn({ message: 'too many tries', limit, of: this.#alias(limit, key) });
    return verdict;
  }

  #alias(limit: Limit, key: string): string {
    const digest = createHmac('sha256', this.#key).update(`log ${limit} ${key}`).digest('base64url');
    return digest.slice(0, 12);
  }
}

/** The space keeps this key different from every account name. */
const mailAccount = (address: string) => `mail ${address}`;
