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
/** The number of unknown networks that together use up the daily mails to a mailbox. */
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

/** The rate limits of the sign-in proxy: by network address against floods, by account against guessing. */
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
        // Requests with invented names must not evict the count of an account or of a mailbox.
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

  /** Counts a request of this network address. */
  checkAddress(
    limit: 'requests' | 'tokens' | 'logIns' | 'registrations' | 'resets',
    address: string,
  ): RateVerdict {
    return this.#check(limit, subscriberNetwork(address));
  }

  /**
   * Counts an attempt to log in to an account, which need not exist. A browser that has logged in to it before has a count of
   * its own, so attackers cannot lock the owner out of it.
   */
  checkAccount(account: string | undefined, cookies: string | undefined): RateVerdict {
    if (account === undefined) return passed;
    const device = this.#devices.deviceOf(account, cookies);
    return device ? this.#check('device', device) : this.#check('strangers', account);
  }

  /**
   * Reserves a password attempt; a wrong password counts for a day. All known browsers of the account share one count, since an
   * open session gets a new device cookie with each token. All unknown browsers share another count, so they cannot use up
   * the owner's.
   */
  holdPassword(account: string | undefined, cookies: string | undefined): HeldRequest {
    if (account === undefined) return unlimited;
    return this.#hold('passwords', `${this.#whose(account, cookies)} ${account}`);
  }

  /** Reserves an attempt at a second-factor code; a wrong code counts for a day, in the same two counts. */
  holdCode(account: string, factor: string, cookies: string | undefined): HeldRequest {
    return this.#hold('codes', `${this.#whose(account, cookies)} ${factor}`);
  }

  /**
   * Counts a mail that a browser requests. Browsers that have logged in with the confirmed address of the recipient have their
   * own share, since an attacker cannot confirm a spelling of another mailbox. Beyond it they count as unknown browsers. The
   * share of unknown browsers is split by network, per hour and day, so that one attacker cannot use it up.
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

  /** The cookie for a browser that has just logged in to an account with this name. */
  deviceCookie(account: string): string {
    return this.#devices.issue(account);
  }

  /** The cookie for a browser that has just logged in to an account with this confirmed address. */
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

  /** Logs a refusal under a pseudonym, which shows only whether the same key was refused again. */
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

/** A key that no account name equals, since names contain no space. */
const mailAccount = (address: string) => `mail ${address}`;
