import { identity } from '@stoa/contracts';
import { Bus, RecentEvents } from '@stoa/messaging';
import { metrics, observe } from '@stoa/telemetry';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { GatewayConfig } from '../gateway.config.ts';
import { EndedSessions, retentionMs, type SignedToken } from './ended-sessions.ts';

/** How long a request waits for news that are under way, as at the start of this process: a part of the time of a read. */
const timeoutMs = 700;
/** After this long without news tokens are believed again: the stream is away, and a token lives for minutes only. */
const closedMs = 30_000;

/** It is unknown whether the session of a token has ended. */
class SessionsUnknown extends Error {}

/** Knows which sessions ended, from the events of identity, without asking Keycloak. docs/adr says what holds without them. */
@Injectable()
export class EndedSessionsFollower implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(EndedSessionsFollower.name);
  private readonly ended = new EndedSessions();
  private readonly recent: RecentEvents<typeof identity.sessionEnded>;
  private trusting = false;
  private unobserve: () => void = () => undefined;

  constructor(bus: Bus, config: GatewayConfig) {
    this.recent = new RecentEvents(bus.opened, {
      events: [identity.sessionEnded],
      service: config.NATS_USER,
      sinceMs: retentionMs,
      take: (session) => this.ended.add(session),
    });
  }

  onApplicationBootstrap(): void {
    this.recent.start();
    this.unobserve = observe(metrics.sessionEndsAge, () => this.recent.staleMs / 1000);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.unobserve();
    await this.recent.stop();
  }

  /**
   * Whether the session of a token is over.
   *
   * @throws SessionsUnknown while too little is known.
   */
  async includes(token: SignedToken): Promise<boolean> {
    if (this.ended.includes(token)) return true;
    if (this.recent.staleMs > 0 && !this.believesAnyway()) {
      if (!(await this.recent.caughtUp(timeoutMs))) throw new SessionsUnknown('Ended sessions are not known');
      return this.ended.includes(token);
    }
    return false;
  }

  private believesAnyway(): boolean {
    const believes = this.recent.staleMs > closedMs;
    if (believes && !this.trusting) {
      this.logger.error('sessions that end are not heard of: their tokens open the API until they run out');
    }
    this.trusting = believes;
    return believes;
  }
}
