import { fetchFromPart } from '@stoa/platform';
import { metrics, observe } from '@stoa/telemetry';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { GatewayConfig } from '../gateway.config.ts';

const timeoutMs = 2000;

/** Measures whether Keycloak is reachable. The API's errors do not show its outage, because cached keys still work. */
@Injectable()
export class IssuerMonitor implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private unobserve: () => void = () => undefined;

  constructor(private readonly config: GatewayConfig) {}

  onApplicationBootstrap(): void {
    this.unobserve = observe(metrics.issuerReachable, async () => ((await this.answers()) ? 1 : 0));
  }

  beforeApplicationShutdown(): void {
    this.unobserve();
  }

  private async answers(): Promise<boolean> {
    try {
      const answer = await fetchFromPart(this.config.OIDC_JWKS_URL, {
        signal: AbortSignal.timeout(timeoutMs),
      });
      await answer.body?.cancel();
      return answer.ok;
    } catch {
      return false;
    }
  }
}
