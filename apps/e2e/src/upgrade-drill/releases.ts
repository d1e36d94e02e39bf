import { type App, apps, freePorts, inRepository } from '@stoa/system';
import { appEnvironment } from '@stoa/system/settings/environment';
import { testEnvironment } from '@stoa/system/testing/test-environment';
import type { Gateway } from '../fault-drill/load-balancer.ts';
import { controlProcess } from '../process-control.ts';
import { type Replica, startReplica } from '../replica.ts';
import { theSystem } from '../system.ts';

/** edge is not among them: browsers know its one address, and it asks no service. */
const replicated = apps.filter((app) => app !== 'edge');
/** Longer than a load balancer needs to see that a replica is no longer ready. */
const noticeMs = 1500;

/** What the tests allow a busy machine would be seen in the longest calls. */
const asInProduction = {
  PAGE_PATIENCE_MS: '200',
  READ_TIMEOUT_MS: '2000',
  // Nobody listens where the tests would.
  OTEL_TRACES_EXPORTER: 'none',
  OTEL_METRICS_EXPORTER: 'none',
};

interface Place {
  readonly app: App;
  readonly healthPort: number;
  readonly settings: Record<string, string>;
  replica: Replica;
}

/** Two replicas of each app, of which some may be of one release and some of another. */
export class Releases {
  readonly gateways: readonly Gateway[];
  /** Of replicas that did not stop as they were told. */
  readonly badEnds: string[] = [];
  readonly #places: readonly Place[];

  private constructor(places: readonly Place[]) {
    this.#places = places;
    this.gateways = places
      .filter(({ app }) => app === 'gateway')
      .map(({ healthPort, settings }) => ({ site: `http://127.0.0.1:${settings['PORT']}`, healthPort }));
  }

  /** Starts two of each app of the release in this folder, the first in place of the one that the system runs. */
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
   * Replaces each replica by one of the release in this folder, one after the other: on a small machine apps that start
   * side by side take the time of those that answer.
   */
  async replace(release: string): Promise<void> {
    // What the former release was told may lack what this one wants to know.
    const named = (app: App) =>
      release === inRepository() ? appEnvironment(app, theSystem(), theSystem().ports) : {};
    for (const place of this.#places.toSorted((a, b) => a.app.localeCompare(b.app))) {
      const { app, healthPort } = place;
      const code = await place.replica.stop();
      if (code !== 0) this.badEnds.push(`${app} ended with ${code}:\n${place.replica.lastLines()}`);
      const settings = { ...named(app), ...place.settings, HEALTH_PORT: String(healthPort) };
      place.replica = await startReplica(app, healthPort, settings, release);
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.#places.map(({ replica }) => replica.stop()));
  }
}
