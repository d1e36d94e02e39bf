import { Client, type ClientOptions } from 'minio';
import http from 'node:http';
import https from 'node:https';
import { Problem } from '../problem.ts';

export interface StoreOptions extends Pick<ClientOptions, 'partSize'> {
  readonly endpoint: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** For how long the store may say and take nothing while it is asked or read. */
  readonly silentMs?: number | undefined;
}

/** Shorter than the deadline of a backup's Job, longer than any pause of a store that works. */
const defaultSilentMs = 30_000;

/**
 * A client of an S3 store. What it does fails with a Problem where the store is not reached, or falls silent in the midst of
 * it, for `silentMs`; after that nothing more is asked of the store, so that cleaning up does not wait as long once more.
 */
export function boundedClient({ endpoint, silentMs = defaultSilentMs, ...options }: StoreOptions): Client {
  const { protocol, hostname, port, host } = new URL(endpoint);
  const useSSL = protocol === 'https:';
  return new Client({
    endPoint: hostname,
    port: Number(port) || (useSSL ? 443 : 80),
    useSSL,
    ...options,
    transport: impatient(useSSL ? https : http, host, silentMs),
  });
}

type Transport = Pick<typeof http, 'request'>;

// The client itself waits for ever for a store that accepts a connection and then says nothing.
function impatient({ request }: Transport, host: string, silentMs: number): Transport {
  let silence: Problem | undefined;
  return {
    request(options: http.RequestOptions, answered: (answer: http.IncomingMessage) => void) {
      let answer: http.IncomingMessage | undefined;
      const sending = request({ ...options, timeout: silentMs }, (response) => {
        answer = response;
        answered(response);
      });
      if (silence) return sending.destroy(silence);
      return sending.on('timeout', () => {
        // What has come and is not read yet is no silence of the store.
        if (answer?.readableLength) return void sending.setTimeout(silentMs);
        silence = new Problem(
          `The object store at ${host} has been silent for ${silentMs / 1000} s: is it up, and does the network let this through?`,
        );
        (answer ?? sending).destroy(silence);
      });
    },
  } as Transport;
}
