import { limits } from '@stoa/contracts';
import { Sweeper } from '@stoa/platform';
import { count, metrics, observe, withoutHttpTelemetry } from '@stoa/telemetry';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import type { CheckedLinks, LeasedLink } from './checked-links.repository.ts';
import { ContactConfig } from './contact.config.ts';
import { ContactRepository } from './contact.repository.ts';
import { type Look, lookAt, type LookOptions, wholeLook } from './link-look.ts';
import { lookupByDns, resolvePublic } from './link-resolver.ts';
import { judge } from './link-verdict.ts';
import { OnlineCheck } from './online-check.ts';
import { resolveForTests } from './test-hosts.ts';

/** At once, each at another host. */
const lanes = 4;
/** In one round of all lanes, and for so long: a mail about a dead link does not wait for the whole queue. */
const looksPerRound = 100;
const looksWithinMs = 120_000;

/** What the lanes of a round share. */
interface Round {
  readonly endsAt: number;
  /** Ids of links. */
  readonly due: string[];
  refilling?: Promise<void> | undefined;
  looks: number;
  underWay: number;
}

/** Looks at published links, slowly and one at a time for each host, and has their creators told of dead ones. */
@Injectable()
export class LinkChecker extends Sweeper implements OnApplicationBootstrap {
  readonly #logger = new Logger(LinkChecker.name);
  readonly #links: CheckedLinks;
  readonly #online: OnlineCheck;
  readonly #options: LookOptions;
  #offlineUntil = -Infinity;
  #unobserve: () => void = () => undefined;

  constructor(
    messages: ContactRepository,
    private readonly config: ContactConfig,
  ) {
    super({
      ...{ firstMs: config.LINK_CHECK_POLL_MS, everyMs: config.LINK_CHECK_POLL_MS },
      withinMs: looksWithinMs + config.LINK_CHECK_TIMEOUT_MS * 2 * wholeLook + 60_000,
    });
    this.#links = messages.links;
    const lookup = lookupByDns({ timeoutMs: config.LINK_CHECK_TIMEOUT_MS / 4 });
    this.#options = {
      resolve: config.LINK_CHECK_TEST_HOSTS
        ? resolveForTests(config.LINK_CHECK_TEST_HOSTS)
        : (hostname) => resolvePublic(hostname, lookup),
      userAgent: `StoaLinkCheck/1.0 (+${config.SITE_URL})`,
      timeoutMs: config.LINK_CHECK_TIMEOUT_MS,
    };
    this.#online = new OnlineCheck((which) => this.#askCanaries(which));
  }

  override onApplicationBootstrap(): void {
    if (!this.config.LINK_CHECK) return;
    if (this.config.LINK_CHECK_TEST_HOSTS)
      this.#logger.warn('links are looked at where LINK_CHECK_TEST_HOSTS says, and nowhere else');
    this.#unobserve = observe(metrics.linksAge, () => this.#links.oldestDue());
    super.onApplicationBootstrap();
  }

  override async beforeApplicationShutdown(): Promise<void> {
    this.#unobserve();
    await super.beforeApplicationShutdown();
  }

  protected async sweep(stopping: AbortSignal): Promise<void> {
    const round: Round = { endsAt: performance.now() + looksWithinMs, due: [], looks: 0, underWay: 0 };
    const ended = await Promise.allSettled(
      Array.from({ length: lanes }, () => this.#lookAtSome(round, stopping)),
    );
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
    const told = {
      gatherMs: this.config.LINK_CHECK_TELL_AFTER_MS,
      again: { days: limits.linkMailDays },
    };
    while (!stopping.aborted && (await this.#links.tellNext(told)));
    await this.#links.forgetGone();
  }

  /** One slow look keeps no other host waiting: the other lanes go on, and look for what is due meanwhile. */
  async #lookAtSome(round: Round, stopping: AbortSignal): Promise<void> {
    const { LINK_CHECK_HOST_PAUSE_MS: hostPauseMs, LINK_CHECK_POLL_MS, LINK_CHECK_TIMEOUT_MS } = this.config;
    // Before its verdict the canaries may be looked at.
    const leaseMs = LINK_CHECK_TIMEOUT_MS * 2 * wholeLook + 60_000;
    while (!stopping.aborted && this.#goesOn(round)) {
      const id = round.due.shift() ?? (await this.#refill(round, hostPauseMs));
      if (id === undefined) {
        if (round.underWay === 0) return;
        await pause(LINK_CHECK_POLL_MS, undefined, { signal: stopping }).catch(() => undefined);
        continue;
      }
      const link = await this.#links.lease(id, { leaseMs, hostPauseMs });
      if (!link) continue;
      round.looks += 1;
      round.underWay += 1;
      await this.#look(link, stopping).finally(() => (round.underWay -= 1));
    }
  }

  #goesOn({ endsAt, looks }: Round): boolean {
    const now = performance.now();
    return now > this.#offlineUntil && now < endsAt && looks < looksPerRound;
  }

  /** Once for all lanes. */
  async #refill(round: Round, hostPauseMs: number): Promise<string | undefined> {
    round.refilling ??= this.#links
      .findDue({ most: looksPerRound, hostPauseMs })
      .then((ids) => void round.due.push(...ids))
      .finally(() => (round.refilling = undefined));
    await round.refilling;
    return round.due.shift();
  }

  async #look(link: LeasedLink, stopping: AbortSignal): Promise<void> {
    const look = await withoutHttpTelemetry(() => lookAt(link.url, { ...this.#options, stopping }));
    if (stopping.aborted || !(await this.#isTrustworthy(look, link))) {
      await this.#links.giveBack(link);
      return;
    }
    count(metrics.linksLooked, { 'stoa.link.outcome': look.kind });
    const { LINK_CHECK_INTERVAL_MS: intervalMs, LINK_CHECK_CONFIRM_MS: confirmMs } = this.config;
    await this.#links.record(link, (state, now) => judge(state, look, now, { intervalMs, confirmMs }));
  }

  /** Whether a look says something of the link, and not of our own network. */
  async #isTrustworthy(look: Look, { url }: LeasedLink): Promise<boolean> {
    if (look.kind === 'unknown') return true;
    const hasAnswered = look.kind === 'works' || look.hasAnswered;
    const host = look.kind === 'works' ? new URL(url).host : look.host;
    this.#online.note(host, { fails: look.kind === 'fails' && !look.hasAnswered, hasAnswered });
    if (look.kind === 'works' || (await this.#online.isTrustworthy({ hasAnswered }))) return true;
    count(metrics.linksLooked, { 'stoa.link.outcome': 'offline' });
    this.#offlineUntil = performance.now() + this.config.LINK_CHECK_OFFLINE_PAUSE_MS;
    this.#logger.warn('no way out, or most hosts fail: nothing is held against links for now');
    return false;
  }

  async #askCanaries(which: 'some' | 'all'): Promise<boolean> {
    const canaries = this.config.LINK_CHECK_CANARIES.split(',').filter(Boolean);
    for (const canary of canaries) {
      const { kind } = await withoutHttpTelemetry(() => lookAt(canary.trim(), this.#options));
      if ((kind === 'works') === (which === 'some')) return which === 'some';
    }
    return which === 'all' && canaries.length > 0;
  }
}
