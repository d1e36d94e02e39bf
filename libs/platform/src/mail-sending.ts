import { dial } from '@stoa/messaging';
import type { Socket } from 'node:net';

interface MailServerAddress {
  readonly host?: string | undefined;
  readonly port?: number | string | undefined;
  readonly secure?: boolean | undefined;
}

/** Timeouts of the mail server for each step; mails may not read files or fetch addresses. */
export const mailTransport = {
  // Resolves the name for each mail: the client's own cache of addresses lasts five minutes.
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

/** Bounds one sending: 15 s until the greeting, then up to 10 s for each of a dozen commands. */
const longestSendMs = 150_000;
/** The lease of a mail: longer than any sending, because otherwise another process would send it, too. */
export const mailLeaseMs = 180_000;

/**
 * Waits until the mail server accepts a mail, for at most 150 s.
 *
 * @throws Error with the code ETIMEDOUT
 */
export async function withSendTimeout<T>(sending: Promise<T>): Promise<T> {
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
