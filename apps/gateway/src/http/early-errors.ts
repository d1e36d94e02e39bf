import { type ProblemCode } from '@stoa/contracts';
import { Refusal } from '@stoa/messaging';
import { hasOneHost } from '@stoa/platform';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { areaOfTarget } from './area.ts';
import { GatewayConfig } from '../gateway.config.ts';
import { wholeProblemAnswer } from './problem-answer.ts';
import { headersFor } from './response-headers.ts';

interface ClientError extends Error {
  readonly code?: string;
  /** The bytes that Node's HTTP parser could not parse. */
  readonly rawPacket?: Buffer;
}

/** Answers errors of Node's HTTP parser with the same body and headers as other errors. */
export function answerEarlyErrors(app: NestFastifyApplication): void {
  const server = app.getHttpServer() as Server;
  const headers = headersFor(app.get(GatewayConfig));
  const answering = new WeakSet<Socket>();
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    answering.add(socket);
    response.once('close', () => answering.delete(socket));
  });

  // Replaces Fastify's listener, which would answer differently.
  server.removeAllListeners('clientError');
  server.on('clientError', (error: ClientError, socket: Socket) => {
    // The error cannot be sent after another response on this connection has begun.
    if (error.code === 'ECONNRESET' || !socket.writable || answering.has(socket)) return socket.destroy();
    const asked = error.rawPacket?.toString('latin1') ?? '';
    const [, target = '/'] = /^\S+ (\S+) /.exec(asked) ?? [];
    const [, accept] = /^accept:([^\r\n]*)/im.exec(asked) ?? [];
    const {
      status,
      headers: named,
      body,
    } = wholeProblemAnswer(refusalOf(error), areaOfTarget(target), accept, headers);
    const lines = Object.entries({ ...named, connection: 'close' }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'));
  });

  // Two `Host` headers are refused, because a proxy might use the other one.
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRequest', async ({ raw }) => {
      if (!hasOneHost(raw)) throw new Refusal('invalid_input', 'Name the host of the address, once.');
    });

  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const refusal = new Refusal('expectation_failed', 'No expectation but 100-continue is met here.');
    const { url = '/', headers: asked } = request;
    const {
      status,
      headers: named,
      body,
    } = wholeProblemAnswer(refusal, areaOfTarget(url), asked.accept, headers);
    response.writeHead(status, { ...named, connection: 'close' }).end(body);
  });
}

const codes: Record<string, [ProblemCode, string]> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The address and headers are too long.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['too_large', 'The chunk extensions are too long.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive in time.'],
};

function refusalOf({ code = '' }: ClientError): Refusal {
  const [meaning, text] = codes[code] ?? ['invalid_input', 'This is not HTTP as we can read it.'];
  return new Refusal(meaning, text);
}
