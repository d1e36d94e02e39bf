import { Client, type ClientOptions } from 'minio';
import http from 'node:http';
import https from 'node:https';
import { Problem } from '../problem.ts';

export interface StoreOptions extends Pick<ClientOptions, 'partSize'> {
  readonly endpoint: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** Milliseconds without data from or to the store after which a request fails. */
  readonly silentMs?: number | undefined;
}

/** Shorter than the deadline of a backup's Kubernetes Job, longer than any pause of a healthy store. */
const defaultSilentMs = 30_000;

/**
 * A client of an S3 store. Its requests fail with a Problem if the store is unreachable, or sends nothing for
 * `silentMs` milliseconds. All later requests then fail immediately, so that cleaning up does not wait for
 * the same timeout again.
 */
export function boundedClient({ endpoint, silentMs = defaultSilentMs, ...options }: StoreOptions): Client {
  const { protocol, hostname, port, host } = new URL(endpoint);
  const useSSL = protocol === 'https:';
  return new Client({
    endPoint: hostname,
    port: Number(port) || (useSSL ? 443 : 80),
    useSSL,
    ...options,
    transport: withSilenceLimit(useSSL ? https : http, host, silentMs),
  });
}

type Transport = Pick<typeof http, 'request'>;

// The client has no timeout for a store that accepts a connection and then sends nothing.
function withSilenceLimit({ request }: Transport, host: string, silentMs: number): Transport {
  let silence: Problem | undefined;
  return {
    request(options: http.RequestOptions, onResponse: (answer: http.IncomingMessage) => void) {
      let answer: http.IncomingMessage | undefined;
      const sending = request({ ...options, timeout: silentMs }, (response) => {
        answer = response;
        onResponse(response);
      });
      if (silence) return sending.destroy(silence);
      return sending.on('timeout', () => {
        // Unread data of the response is buffered here, so the store is not silent: the caller has not read
        // the data yet.
        if (answer?.readableLength) return void sending.setTimeout(silentMs);
        silence = new Problem(
          `The object store at ${host} has been silent for ${silentMs / 1000} s: is it up, and does the network let this through?`,
        );
        (answer ?? sending).destroy(silence);
      });
    },
  } as Transport;
}
