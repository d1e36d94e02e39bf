import { dial } from '@stoa/messaging';
import http from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';
import { Agent, buildConnector } from 'undici';

// Connections to Keycloak and the object store. A part may return under another address: see `dial`.

const secure = buildConnector({ timeout: 3000, rejectUnauthorized: true });
const keepAliveMs = 60_000;

export const connectToPart: buildConnector.connector = (options, callback) => {
  const { hostname, port, protocol } = options;
  const isSecure = protocol === 'https:';
  dial({ host: hostname, port: Number(port) || (isSecure ? 443 : 80) }).then(
    (socket) => {
      socket.setKeepAlive(true, keepAliveMs);
      if (!isSecure) return callback(null, socket);
      // Verifies the certificate for the host of the address. The `Host` header of a proxied request is the
      // public name, not the part's.
      secure({ ...options, servername: undefined, httpSocket: socket }, callback);
    },
    (error: Error) => callback(error, null),
  );
};

/** The dispatcher for `fetch` to a part. */
export const partDispatcher = new Agent({ connect: connectToPart });

export const fetchFromPart = (url: string, options: RequestInit = {}): Promise<Response> =>
  fetch(url, { ...options, dispatcher: partDispatcher } as RequestInit);

type Connected = (error: Error | null, stream: Duplex) => void;
type Failed = (error: Error) => void;

class PlainAgent extends http.Agent {
  override createConnection(options: http.ClientRequestArgs, connected: Connected): undefined {
    dial(addressOf(options, 80)).then((socket) => connected(null, socket), connected as Failed);
  }
}

class SecureAgent extends https.Agent {
  override createConnection(options: https.RequestOptions, connected: Connected): undefined {
    const secured = (socket: Duplex) =>
      super.createConnection({ ...options, socket } as https.RequestOptions);
    dial(addressOf(options, 443)).then(
      (socket) => connected(null, secured(socket) as Duplex),
      connected as Failed,
    );
  }
}

const addressOf = ({ host, port }: http.ClientRequestArgs, usual: number) => ({
  host: host ?? 'localhost',
  port: Number(port) || usual,
});

// The options of Node's own default agents.
const kept = { keepAlive: true, timeout: 5000, scheduling: 'lifo' } as const;
const agents = { http: new PlainAgent(kept), https: new SecureAgent(kept) };

/** An agent for `request` of node:http and node:https, and for the client of the object store. */
export const partAgent = (useSSL: boolean): http.Agent => (useSSL ? agents.https : agents.http);
