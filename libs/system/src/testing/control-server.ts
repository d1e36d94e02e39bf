import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Supervisor } from '../processes/supervisor.ts';

/** Where another process finds the control of a running system. */
export interface ControlAddress {
  url: string;
  token: string;
}

export interface ControlServer {
  address: ControlAddress;
  close(): void;
}

/** Lets fault drills, which run in processes of their own, stop and start the system's processes. */
export async function serveControl(supervisor: Supervisor): Promise<ControlServer> {
  const token = randomBytes(24).toString('base64url');
  const actions: Record<string, (name: string) => Promise<void> | void> = {
    kill: (name) => supervisor.signal(name, 'SIGKILL'),
    pause: (name) => supervisor.hold(name, 'SIGSTOP'),
    resume: (name) => supervisor.hold(name, 'SIGCONT'),
    stop: (name) => supervisor.stop(name),
    start: (name) => supervisor.startAgain(name),
  };

  const answer = async (request: IncomingMessage): Promise<[status: number, body: unknown]> => {
    if (!isAllowed(request, token)) return [401, {}];
    const [subject, name = '', verb = ''] = (request.url ?? '').slice(1).split('/');
    if (request.method === 'GET' && subject === 'processes')
      return [200, { pid: supervisor.pidOf(name) ?? null }];
    const action = actions[verb];
    if (request.method !== 'POST' || subject !== 'processes' || !action) return [404, {}];
    await action(name);
    return [200, { pid: supervisor.pidOf(name) ?? null }];
  };

  const server = createServer((request, response) => {
    void answer(request)
      .catch((error: unknown): [number, unknown] => [500, { message: String(error) }])
      .then(([status, body]) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      });
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    address: { url: `http://127.0.0.1:${port}`, token },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function isAllowed({ headers }: IncomingMessage, token: string): boolean {
  const given = Buffer.from(headers.authorization ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
