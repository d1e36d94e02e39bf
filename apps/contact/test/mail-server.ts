import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** An SMTP server that stores received mails. Tests make it refuse all mails or some recipients. */
export class MailServer {
  readonly received: string[] = [];
  refused = 0;
  #refusing = false;
  /** Addresses that the server rejects because they have no mailbox. */
  readonly unknown = new Set<string>();
  /** Addresses that the server has rejected for that reason, once per attempt. */
  readonly turnedAway: string[] = [];
  /** Addresses that the server rejects temporarily (450), as greylisting does. */
  readonly greylisted = new Set<string>();
  readonly #server: SMTPServer;

  private constructor() {
    this.#server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onMailFrom: (_address, _session, done) => {
        if (this.#refusing) this.refused += 1;
        done(this.#refusing ? new Error('try later') : null);
      },
      onRcptTo: ({ address }, _session, done) => {
        if (this.greylisted.has(address))
          return done(Object.assign(new Error(`<${address}>: try again later`), { responseCode: 450 }));
        const unknown = this.unknown.has(address);
        if (unknown) this.turnedAway.push(address);
        done(unknown ? new Error('no such mailbox') : null);
      },
      onData: (stream, _session, done) => {
        let text = '';
        stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
        stream.on('end', () => {
          this.received.push(text);
          done();
        });
      },
    });
  }

  static async start(): Promise<MailServer> {
    const server = new MailServer();
    const { promise, resolve } = Promise.withResolvers<void>();
    server.#server.listen(0, '127.0.0.1', resolve);
    await promise;
    return server;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.#server.server.address() as AddressInfo).port}`;
  }

  refuse(refusing: boolean): void {
    this.#refusing = refusing;
  }

  stop(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(resolve);
    return promise;
  }
}
