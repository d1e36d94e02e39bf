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

/** Milliseconds that a request waits if this process has not read all recent events yet, for example after its start. */
const timeoutMs = 700;
/** After this many milliseconds without events, tokens are accepted again (fail open), because they expire within minutes. */
const failOpenAfterMs = 30_000;

/** The gateway has not read all recent events, so it cannot decide whether a session has ended. */
class SessionsUnknown extends Error {}

/** Reads identity's events about ended sessions, so that the gateway can check tokens without calling Keycloak. */
@Injectable()
export class EndedSessionsFollower implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(EndedSessionsFollower.name);
  private readonly ended = new EndedSessions();
  private readonly recent: RecentEvents<typeof identity.sessionEnded>;
  private failedOpen = false;
  private unobserve: () => void = () => undefined;

  constructor(bus: Bus, config: GatewayConfig) {
    this.recent = new RecentEvents(bus.opened, {
      events: [identity.sessionEnded],
      service: config.SERVICE_NAME,
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

  /** Whether the session of the token has ended. @throws SessionsUnknown while recent events are missing */
  async includes(token: SignedToken): Promise<boolean> {
    if (this.ended.includes(token)) return true;
    if (this.recent.staleMs > 0 && !this.failsOpen()) {
      if (!(await this.recent.caughtUp(timeoutMs))) throw new SessionsUnknown('Ended sessions are not known');
      return this.ended.includes(token);
    }
    return false;
  }

  private failsOpen(): boolean {
    const isOpen = this.recent.staleMs > failOpenAfterMs;
    if (isOpen && !this.failedOpen) {
      this.logger.error('ends of sessions are not received: their tokens are accepted until they expire');
    }
    this.failedOpen = isOpen;
    return isOpen;
  }
}
