import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FaultControl } from '../parts/fault-control.ts';

/** The address through which another process controls a running system. */
export interface ControlAddress {
  url: string;
  token: string;
}

export interface ControlServer {
  address: ControlAddress;
  close(): void;
}

/** The faults and repairs of a part or app. */
export const faultVerbs = ['stop', 'kill', 'crash', 'pause', 'resume', 'start', 'reload'] as const;
export type FaultVerb = (typeof faultVerbs)[number];

/** Lets fault drills, which are other processes, stop and start parts and apps of the system. */
export async function serveControl(control: FaultControl): Promise<ControlServer> {
  const token = randomBytes(24).toString('base64url');

  const answer = async (request: IncomingMessage): Promise<[status: number, body: unknown]> => {
    if (!isAllowed(request, token)) return [401, {}];
    const [subject, name = '', action] = (request.url ?? '').slice(1).split('/');
    if (subject !== 'parts') return [404, {}];
    if (request.method === 'POST') {
      const verb = faultVerbs.find((known) => known === action);
      if (!verb) return [404, {}];
      await control[verb](name);
    }
    return [200, { run: (await control.runOf(name)) ?? null }];
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
