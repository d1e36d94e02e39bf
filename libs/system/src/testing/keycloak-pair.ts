import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { Agent, createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { keycloakDistribution } from '../fetch/keycloak-distribution.ts';
import { answersHttp } from '../parts/answers.ts';
import { keycloakProcess } from '../parts/keycloak.ts';
import { openDataFolder } from '../parts/start-parts.ts';
import type { ProcessSpec } from '../processes/supervised.ts';
import type { PartsDescription } from '../settings/parts-description.ts';
import { freePorts, type Ports } from '../settings/ports.ts';
import { waitFor } from './wait-for.ts';

/** Interval of the balancer's readiness checks in milliseconds. */
const probeMs = 200;
/** The settings that k8s/components/keycloak-cluster gives each pod. */
export const clusterEnvironment = { KC_CACHE: 'ispn', KC_SHUTDOWN_DELAY: '5s' } as const;

interface Node {
  readonly name: string;
  readonly url: string;
  readonly health: string;
}

interface Running {
  readonly workplace: ReturnType<typeof openDataFolder>;
  readonly balancer: Server;
}

/**
 * Two Keycloak servers and a balancer, which sends each request to the next ready server. The servers
 * discover each other through a table of these parts' Keycloak database.
 */
export class KeycloakPair {
  readonly nodes: readonly [Node, Node];
  readonly url: string;
  readonly #running: Running;
  readonly #closing = new AbortController();
  readonly #probes: Promise<void>;
  #next = 0;
  #last: 0 | 1 = 0;
  #ready: readonly Node[];

  private constructor(nodes: readonly [Node, Node], url: string, running: Running) {
    this.nodes = nodes;
    this.url = url;
    this.#ready = nodes;
    this.#running = running;
    this.#probes = this.#probe();
    this.#forward();
  }

  static async start(parts: PartsDescription): Promise<KeycloakPair> {
    const workplace = openDataFolder(undefined, () => undefined);
    const task = workplace.reporter.task('Keycloak', 'checking the cache');
    const distribution = await keycloakDistribution(task);
    const nodes: Node[] = [];
    const specs: ProcessSpec[] = [];
    for (const name of ['keycloak-0', 'keycloak-1']) {
      const ports: Ports = await freePorts();
      const spec = keycloakProcess(distribution, join(workplace.dir, name), parts, ports);
      // Each server listens on the ports 7800 and 57800, so each needs its own address.
      const own = `127.${randomInt(1, 255)}.${randomInt(255)}.${randomInt(1, 255)}`;
      const env = { ...spec.env, ...clusterEnvironment, KC_CACHE_EMBEDDED_NETWORK_BIND_ADDRESS: own };
      specs.push({ ...spec, name, env, graceMs: 60_000 });
      const url = `http://127.0.0.1:${ports.keycloakInternal}`;
      nodes.push({ name, url, health: `http://127.0.0.1:${ports.keycloakHealth}/health/ready` });
    }
    const [first, second] = nodes as [Node, Node];
    try {
      await Promise.all(specs.map((spec) => workplace.supervisor.start(spec)));
    } catch (error) {
      await workplace.close();
      throw error;
    }
    const balancer = createServer();
    await once(balancer.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(balancer.address() as AddressInfo).port}`;
    return new KeycloakPair([first, second], url, { workplace, balancer });
  }

  /** The server that received the last request. */
  get last(): 0 | 1 {
    return this.#last;
  }

  /** Stops a server gracefully, as a drain does. */
  stop(index: 0 | 1): Promise<void> {
    return this.#running.workplace.supervisor.stop(this.nodes[index].name);
  }

  /** Kills a server, like the loss of its machine. */
  async kill(index: 0 | 1): Promise<void> {
    const { name } = this.nodes[index];
    this.#running.workplace.supervisor.signal(name, 'SIGKILL');
    await this.stop(index);
    await waitFor(() => this.#expectReady(index, false));
  }

  async startAgain(index: 0 | 1): Promise<void> {
    await this.#running.workplace.supervisor.startAgain(this.nodes[index].name);
    await waitFor(() => this.#expectReady(index, true));
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#probes;
    this.#running.balancer.close();
    this.#running.balancer.closeAllConnections();
    await this.#running.workplace.close();
  }

  #expectReady(index: 0 | 1, wanted: boolean): void {
    if (this.#ready.includes(this.nodes[index]) !== wanted)
      throw new Error(`${this.nodes[index].name} is ${wanted ? 'not ready' : 'still ready'}.`);
  }

  async #probe(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      const ready = await Promise.all(this.nodes.map((node) => this.#isReady(node)));
      this.#ready = this.nodes.filter((_, index) => ready[index]);
      await pause(probeMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Keeps the previous state of a server whose answer is late on a busy machine. */
  async #isReady(node: Node): Promise<boolean> {
    try {
      return await answersHttp(node.health);
    } catch (error) {
      return (error as Error).name === 'TimeoutError' && this.#ready.includes(node);
    }
  }

  #forward(): void {
    // A new connection per request, so that a log-in uses both servers.
    const agent = new Agent({ keepAlive: false });
    this.#running.balancer.on('request', (incoming, answer) => {
      const node = this.#ready[(this.#next += 1) % this.#ready.length];
      if (!node) return void answer.writeHead(503).end();
      this.#last = node === this.nodes[0] ? 0 : 1;
      const { method, url, headers } = incoming;
      const sent = request(`${node.url}${url}`, { method, headers, agent }, (response) => {
        answer.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(answer);
      });
      sent.on('error', () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end()));
      incoming.pipe(sent);
    });
  }
}
