import { type App, apps, freePorts, inRepository } from '@stoa/system';
import { appEnvironment } from '@stoa/system/settings/environment';
import { testEnvironment } from '@stoa/system/testing/test-environment';
import type { Gateway } from '../fault-drill/load-balancer.ts';
import { controlProcess } from '@stoa/e2e/process-control';
import { type Replica, startReplica } from '@stoa/e2e/replica';
import { theSystem } from '@stoa/e2e/system';

/** All apps but the edge: browsers know only one address of it, and it calls no service. */
const replicated = apps.filter((app) => app !== 'edge');
/** Milliseconds that a load balancer needs at most to notice that a replica is unready. */
const noticeMs = 1500;

/** Production's timeouts, because the longer ones of tests would appear in the longest calls. */
const asInProduction = {
  PAGE_PATIENCE_MS: '200',
  READ_TIMEOUT_MS: '2000',
  // Exports no telemetry, because the receiver of the tests does not run.
  OTEL_TRACES_EXPORTER: 'none',
  OTEL_METRICS_EXPORTER: 'none',
};

interface Place {
  readonly app: App;
  readonly healthPort: number;
  readonly settings: Record<string, string>;
  replica: Replica;
}

/** Two replicas of each app, which may be of different releases. */
export class Releases {
  readonly gateways: readonly Gateway[];
  /** Exit codes and output of replicas that did not stop cleanly. */
  readonly failedStops: string[] = [];
  readonly #places: readonly Place[];

  private constructor(places: readonly Place[]) {
    this.#places = places;
    this.gateways = places
      .filter(({ app }) => app === 'gateway')
      .map(({ healthPort, settings }) => ({ site: `http://127.0.0.1:${settings['PORT']}`, healthPort }));
  }

  /** Starts two replicas of each app of the release in this folder; the first replaces that of the system. */
  static async start(release: string): Promise<Releases> {
    const blocks = [theSystem().ports, await freePorts()];
    const places = blocks.flatMap((ports) =>
      replicated.map(async (app, at) => {
        if (ports === theSystem().ports) await controlProcess('stop', app);
        const own = { PORT: String(ports.site), SHUTDOWN_DELAY_MS: String(noticeMs) };
        const settings = { ...testEnvironment(ports), ...asInProduction, ...(app === 'gateway' && own) };
        const healthPort = ports.health + at;
        return { app, healthPort, settings, replica: await startReplica(app, healthPort, settings, release) };
      }),
    );
    return new Releases(await Promise.all(places));
  }

  /**
   * Replaces the replicas by those of the release in this folder, one after the other. On a small machine concurrent
   * starts would take CPU time from the running apps.
   */
  async replace(release: string): Promise<void> {
    // Adds this release's settings, because the former release that started the parts may lack some of them.
    const named = (app: App) =>
      release === inRepository() ? appEnvironment(app, theSystem(), theSystem().ports) : {};
    for (const place of this.#places.toSorted((a, b) => a.app.localeCompare(b.app))) {
      const { app, healthPort } = place;
      const code = await place.replica.stop();
      if (code !== 0) this.failedStops.push(`${app} ended with ${code}:\n${place.replica.lastLines()}`);
      const settings = { ...named(app), ...place.settings, HEALTH_PORT: String(healthPort) };
      place.replica = await startReplica(app, healthPort, settings, release);
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.#places.map(({ replica }) => replica.stop()));
  }
}
