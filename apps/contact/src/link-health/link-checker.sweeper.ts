import { limits } from '@stoa/contracts';
import { isDatabaseOutage, Sweeper } from '@stoa/platform';
import { count, metrics, observe, withoutHttpTelemetry } from '@stoa/telemetry';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { CheckedLinks, type LeasedLink } from './checked-links.repository.ts';
import { ContactConfig } from '../contact.config.ts';
import {
  type CheckResult,
  checkUrl,
  type CheckOptions,
  wholeCheckFactor,
} from '../link-checks/link-check.ts';
import { dnsLookup, resolvePublic } from '../link-checks/link-resolver.ts';
import { evaluate } from './link-verdict.ts';
import { OnlineCheck } from '../link-checks/online-check.ts';
import { resolveForTests } from '../link-checks/test-hosts.ts';

/** Number of concurrent checks. Each lane checks a different host. */
const lanes = 4;
/** Maximum number of checks in one round. Events about dead links wait for the end of the round. */
const checksPerRound = 100;
const roundMs = 120_000;
/** Starts a round at least this often, in milliseconds, in case a notification of the database gets lost. */
const everyMs = 60_000;

interface Round {
  readonly endsAt: number;
  /** Ids of the links whose check is due. */
  readonly due: string[];
  refilling?: Promise<void> | undefined;
  checks: number;
  underWay: number;
}

/** Checks published links, one at a time per host, and publishes events about dead links. */
@Injectable()
export class LinkChecker extends Sweeper implements OnApplicationBootstrap {
  readonly #online: OnlineCheck;
  readonly #options: CheckOptions;
  #offlineUntil = -Infinity;
  #unobserve: () => void = () => undefined;

  constructor(
    private readonly links: CheckedLinks,
    private readonly config: ContactConfig,
  ) {
    const pollMs = config.LINK_CHECK_POLL_MS;
    const withinMs = roundMs + config.LINK_CHECK_TIMEOUT_MS * 2 * wholeCheckFactor + 60_000;
    super({ firstMs: pollMs, everyMs, retryMs: pollMs, withinMs }, 'checked_link');
    const lookup = dnsLookup({ timeoutMs: config.LINK_CHECK_TIMEOUT_MS / 4 });
    this.#options = {
      resolve: config.LINK_CHECK_TEST_HOSTS
        ? resolveForTests(config.LINK_CHECK_TEST_HOSTS)
        : (hostname) => resolvePublic(hostname, lookup),
      userAgent: `StoaLinkCheck/1.0 (+${config.SITE_URL})`,
      timeoutMs: config.LINK_CHECK_TIMEOUT_MS,
    };
    this.#online = new OnlineCheck((which) => this.#canariesAnswer(which));
  }

  override onApplicationBootstrap(): void {
    if (!this.config.LINK_CHECK) return;
    if (this.config.LINK_CHECK_TEST_HOSTS)
      this.logger.warn('LINK_CHECK_TEST_HOSTS is set: link checks reach only these hosts');
    this.#unobserve = observe(metrics.linksAge, () => this.links.oldestDue());
    super.onApplicationBootstrap();
  }

  override async beforeApplicationShutdown(): Promise<void> {
    this.#unobserve();
    await super.beforeApplicationShutdown();
  }

  protected async sweep(stopping: AbortSignal): Promise<number | void> {
    const round: Round = { endsAt: performance.now() + roundMs, due: [], checks: 0, underWay: 0 };
    const ended = await Promise.allSettled(
      Array.from({ length: lanes }, () => this.#checkSome(round, stopping)),
    );
    const announcement = {
      gatherMs: this.config.LINK_CHECK_TELL_AFTER_MS,
      repeatAfter: { days: limits.linkMailDays },
    };
    while (!stopping.aborted && (await this.links.announceNext(announcement)));
    await this.links.deleteTombstones();
    // The error of a lane is thrown only here, so that it does not delay the events about dead links.
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
    // A link that is still due waits for the pause of its host, or another replica has leased it.
    this.rest(this.config.LINK_CHECK_POLL_MS);
    return this.links.nextDueMs(announcement.gatherMs);
  }

  /** One lane: checks due links until the round ends. A slow host delays only its own lane. */
  async #checkSome(round: Round, stopping: AbortSignal): Promise<void> {
    const { LINK_CHECK_HOST_PAUSE_MS: hostPauseMs, LINK_CHECK_POLL_MS, LINK_CHECK_TIMEOUT_MS } = this.config;
    // Covers two checks, because `#isTrustworthy` may request the canary pages after the link.
    const leaseMs = LINK_CHECK_TIMEOUT_MS * 2 * wholeCheckFactor + 60_000;
    while (!stopping.aborted && this.#hasTime(round)) {
      const id = round.due.shift() ?? (await this.#refill(round, hostPauseMs));
      if (id === undefined) {
        if (round.underWay === 0) return;
        await pause(LINK_CHECK_POLL_MS, undefined, { signal: stopping }).catch(() => undefined);
        continue;
      }
      const link = await this.links.lease(id, { leaseMs, hostPauseMs });
      if (!link) continue;
      round.checks += 1;
      round.underWay += 1;
      await this.#check(link, stopping).finally(() => (round.underWay -= 1));
    }
  }

  #hasTime({ endsAt, checks }: Round): boolean {
    const now = performance.now();
    return now > this.#offlineUntil && now < endsAt && checks < checksPerRound;
  }

  /** Queries for due links, or waits for the query that another lane has started (single-flight). */
  async #refill(round: Round, hostPauseMs: number): Promise<string | undefined> {
    round.refilling ??= this.links
      .findDue({ most: checksPerRound, hostPauseMs })
      .then((ids) => void round.due.push(...ids))
      .finally(() => (round.refilling = undefined));
    await round.refilling;
    return round.due.shift();
  }

  async #check(link: LeasedLink, stopping: AbortSignal): Promise<void> {
    const result = await withoutHttpTelemetry(() => checkUrl(link.url, { ...this.#options, stopping }));
    if (stopping.aborted || !(await this.#isTrustworthy(result, link))) {
      await this.links.release(link);
      return;
    }
    count(metrics.linksLooked, { 'stoa.link.outcome': result.kind });
    const { LINK_CHECK_INTERVAL_MS: intervalMs, LINK_CHECK_CONFIRM_MS: confirmMs } = this.config;
    try {
      await this.links.record(link, (state, now) => evaluate(state, result, now, { intervalMs, confirmMs }));
    } catch (error) {
      if (isDatabaseOutage(error)) throw error;
      // The link is due again when its lease ends. One failed statement does not stop the round.
      this.logger.error(error, `the check of link ${link.id} cannot be recorded`);
    }
  }

  /** Whether the result is about the link, and not caused by the internet connection of this system. */
  async #isTrustworthy(result: CheckResult, { url }: LeasedLink): Promise<boolean> {
    if (result.kind === 'unknown') return true;
    const hasAnswered = result.kind === 'works' || result.hasAnswered;
    const host = result.kind === 'works' ? new URL(url).host : result.host;
    this.#online.note(host, { fails: result.kind === 'fails' && !result.hasAnswered, hasAnswered });
    if (result.kind === 'works' || (await this.#online.isTrustworthy({ hasAnswered }))) return true;
    count(metrics.linksLooked, { 'stoa.link.outcome': 'offline' });
    this.#offlineUntil = performance.now() + this.config.LINK_CHECK_OFFLINE_PAUSE_MS;
    this.logger.warn(
      'no outgoing connection, or most hosts fail: link checks pause and no failure is counted',
    );
    return false;
  }

  async #canariesAnswer(which: 'some' | 'all'): Promise<boolean> {
    const canaries = this.config.LINK_CHECK_CANARIES.split(',').filter(Boolean);
    for (const canary of canaries) {
      const { kind } = await withoutHttpTelemetry(() => checkUrl(canary.trim(), this.#options));
      if ((kind === 'works') === (which === 'some')) return which === 'some';
    }
    return which === 'all' && canaries.length > 0;
  }
}
