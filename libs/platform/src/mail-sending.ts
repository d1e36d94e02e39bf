import { dial } from '@stoa/messaging';
import type { Socket } from 'node:net';

interface MailServerAddress {
  readonly host?: string | undefined;
  readonly port?: number | string | undefined;
  readonly secure?: boolean | undefined;
}

/** How long the mail server may be silent at each point; a mail reads no file and no address of its own. */
export const mailTransport = {
  // By itself the client remembers for five minutes where a name led to.
  getSocket: (
    { host = 'localhost', port, secure }: MailServerAddress,
    done: (error: Error | null, socket?: { connection: Socket }) => void,
  ) =>
    void dial({ host, port: Number(port) || (secure ? 465 : 587) }).then(
      (connection) => done(null, { connection }),
      (error: Error) => done(error),
    ),
  connectionTimeout: 5000,
  greetingTimeout: 5000,
  socketTimeout: 10_000,
  disableFileAccess: true,
  disableUrlAccess: true,
} as const;

/** 15 s until the mail server greets, then 10 s for each of a dozen commands; one that says a word now and then gets no more. */
const longestSendMs = 150_000;
/** For so long a mail is in one process's hands: longer than any sending, or another would send it too. */
export const mailLeaseMs = 180_000;

/**
 * Waits for a mail to be taken, for as long as that may last.
 *
 * @throws Error with the code ETIMEDOUT
 */
export async function sentInTime<T>(sending: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(Object.assign(new Error('The mail server takes too long.'), { code: 'ETIMEDOUT' }));
  }, longestSendMs).unref();
  try {
    return await Promise.race([sending, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
