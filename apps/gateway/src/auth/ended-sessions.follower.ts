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

/** How long a request waits until this process has read recent events, such as after its start. Part of the time of a read. */
const timeoutMs = 700;
/** After this long without the stream tokens are accepted again (fail open), since they expire within minutes. */
const failOpenAfterMs = 30_000;

/** The gateway does not know yet whether the session of a token has ended. */
class SessionsUnknown extends Error {}

/** Follows the events of identity to know which sessions have ended, without calls to Keycloak. */
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

  /**
   * Whether the session of a token has ended.
   *
   * @throws SessionsUnknown while recent events are missing.
   */
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
