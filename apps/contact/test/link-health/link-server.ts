import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';

export const confirmMs = 300;

/** Settings that shorten the intervals of link checks from hours and days to milliseconds. */
export const quickChecks = {
  LINK_CHECK_INTERVAL_MS: '400',
  LINK_CHECK_CONFIRM_MS: String(confirmMs),
  LINK_CHECK_HOST_PAUSE_MS: '20',
  LINK_CHECK_POLL_MS: '30',
  LINK_CHECK_TELL_AFTER_MS: '200',
  LINK_CHECK_OFFLINE_PAUSE_MS: '50',
  LINK_CHECK_TIMEOUT_MS: '2000',
};

/** An HTTP server with the targets of links in tests. It rejects HEAD with 405, as some servers do. */
export class LinkServer {
  /** When each path was requested: `performance.now()` in milliseconds. */
  readonly requests = new Map<string, number[]>();
  /** The status that the server returns for each path; 200 for all others. */
  readonly statuses = new Map<string, number>();
  readonly redirects: Readonly<Record<string, string>> = {
    '/to-loopback': 'http://127.0.0.1/',
    '/to-metadata': 'http://169.254.169.254/latest/meta-data/',
    '/to-mapped': 'http://[::ffff:10.0.0.1]/',
    '/to-inside': 'http://inside.example.com/',
  };
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => this.#answer(request, response));
  }

  static async start(): Promise<LinkServer> {
    const web = new LinkServer();
    const { promise, resolve } = Promise.withResolvers<void>();
    web.#server.listen(0, '127.0.0.1', resolve);
    await promise;
    return web;
  }

  /** Value of LINK_CHECK_TEST_HOSTS that resolves `<name>.example.com` to this server. */
  hosts(...names: string[]): string {
    const { port } = this.#server.address() as AddressInfo;
    return names.map((name) => `${name}.example.com=127.0.0.1:${port}`).join();
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #answer({ method, url: path = '' }: IncomingMessage, response: ServerResponse): unknown {
    if (method === 'HEAD') return response.writeHead(405).end();
    this.requests.set(path, [...(this.requests.get(path) ?? []), performance.now()]);
    const location = this.redirects[path];
    if (location) return response.writeHead(302, { location }).end();
    response.writeHead(this.statuses.get(path) ?? 200);
    if (path === '/slow') return response.write('a');
    if (path !== '/endless') return response.end();
    const endless = new Readable({ read: () => endless.push(Buffer.alloc(65_536)) });
    return endless.pipe(response);
  }
}
