import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createPlainServer, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { waitFor } from '@stoa/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { resultOfError, resultOfStatus, checkUrl } from './link-check.ts';
import type { Resolution } from './link-resolver.ts';
import { resolveForTests } from './test-hosts.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

let server: Server;
let resolve: (hostname: string) => Promise<Resolution>;
let requests: string[];
let answers: Record<string, Answer>;

const status = (code: number, headers: Record<string, string> = {}): Answer => {
  return (_, response) => response.writeHead(code, headers).end();
};

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = `${request.headers.host}${request.url}`;
    requests.push(`${request.method} ${path} ${request.headers['user-agent']}`);
    const answer = answers[request.url ?? ''];
    if (answer) answer(request, response);
    else status(200)(request, response);
  });
  const { promise, resolve: listening } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', listening);
  await promise;
  const { port } = server.address() as AddressInfo;
  resolve = resolveForTests(
    `shop.example=127.0.0.1:${port},closed.example=127.0.0.1:1,inside.example=10.0.0.1,gone.example=`,
  );
});
beforeEach(() => {
  requests = [];
  answers = {};
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const check = (link: string, timeoutMs = 5000) => checkUrl(link, { resolve, userAgent: 'Stoa', timeoutMs });

test("a check sends HEAD with the link's own host and Stoa's user agent", async () => {
  expect(await check('http://shop.example/letters?x=1')).toEqual({ kind: 'works' });
  expect(requests).toEqual(['HEAD shop.example/letters?x=1 Stoa']);
});

test('a failed HEAD is repeated as GET', async () => {
  answers['/'] = (request, response) => status(request.method === 'HEAD' ? 404 : 200)(request, response);
  expect(await check('http://shop.example/')).toEqual({ kind: 'works' });
  answers['/'] = (request, response) => {
    if (request.method === 'HEAD') request.socket.destroy();
    else status(410)(request, response);
  };
  expect(await check('http://shop.example/')).toMatchObject({ kind: 'fails', finding: 'gone' });
});

test.each([
  [404, { kind: 'fails', finding: 'not_found', hasAnswered: true }],
  [410, { kind: 'fails', finding: 'gone', hasAnswered: true }],
  ...[200, 204, 206, 304, 400, 401, 402, 403, 405, 406, 451].map(
    (code) => [code, { kind: 'works' }] as const,
  ),
  ...[408, 425, 429, 500, 502, 503, 504, 520].map((code) => [code, { kind: 'unknown' }] as const),
] as const)('the result of status %i', (code, expected) => {
  expect(resultOfStatus(code, { host: 'shop.example' })).toMatchObject(expected);
});

test.each([
  [{ code: 'ECONNREFUSED' }, { kind: 'fails', finding: 'refused' }],
  [{ code: 'ETIMEDOUT' }, { kind: 'fails', finding: 'timeout' }],
  [{ code: 'CERT_HAS_EXPIRED' }, { kind: 'fails', finding: 'certificate_expired' }],
  [{ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }, { kind: 'unknown' }],
  [{ code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, { kind: 'unknown' }],
  [{ code: 'ECONNRESET' }, { kind: 'unknown' }],
  [{ code: 'ENETUNREACH' }, { kind: 'unknown' }],
  [{ code: 'HPE_HEADER_OVERFLOW' }, { kind: 'unknown' }],
] as const)('the result of error %j', (error, expected) => {
  expect(resultOfError(error, { host: 'shop.example' })).toMatchObject(expected);
});

test('a refused connection, an unknown name and a silent server fail', async () => {
  answers['/silent'] = () => undefined;
  expect(await check('http://closed.example/')).toMatchObject({ kind: 'fails', finding: 'refused' });
  expect(await check('http://gone.example/')).toMatchObject({ kind: 'fails', finding: 'no_such_host' });
  expect(await check('http://shop.example/silent', 200)).toMatchObject({ kind: 'fails', finding: 'timeout' });
});

test('a check follows up to five redirects, relative ones too [contact-1]', async () => {
  answers['/old'] = status(301, { location: '/new' });
  expect(await check('http://shop.example/old')).toEqual({ kind: 'works' });
  expect(requests.map((line) => line.split(' ')[1])).toEqual(['shop.example/old', 'shop.example/new']);
  answers['/new'] = status(404);
  expect(await check('http://shop.example/old')).toMatchObject({ kind: 'fails', finding: 'not_found' });
  answers['/round'] = status(302, { location: '/round' });
  requests = [];
  expect(await check('http://shop.example/round')).toEqual({ kind: 'unknown', reason: 'too many redirects' });
  expect(requests).toHaveLength(6);
});

test.each([
  ...[
    'http://127.0.0.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://[::ffff:10.0.0.1]/',
    'http://[::1]/',
  ],
  ...['http://[64:ff9b::a00:1]/', 'http://0/', 'http://inside.example/', 'http://localhost/', '//10.0.0.1/'],
  ...['http://shop.example:22/', 'ftp://shop.example/', 'file:///etc/passwd', 'http://me:it@shop.example/'],
])('a check does not follow a redirect to %s [contact-2]', async (location) => {
  answers['/'] = status(302, { location });
  expect(await check('http://shop.example/')).toMatchObject({ kind: 'unknown' });
  expect(requests).toEqual(['HEAD shop.example/ Stoa']);
});

test('a check does not wait for a slow or endless body', async () => {
  answers['/endless'] = (request, response) => {
    if (request.method === 'HEAD') return status(405)(request, response);
    response.writeHead(200);
    const source = new Readable({ read: () => source.push(Buffer.alloc(65_536)) });
    return source.pipe(response);
  };
  answers['/slow'] = (request, response) => {
    response.writeHead(request.method === 'HEAD' ? 405 : 200).write('a');
  };
  expect(await check('http://shop.example/endless')).toEqual({ kind: 'works' });
  expect(await check('http://shop.example/slow')).toEqual({ kind: 'works' });
});

test('headers beyond the size limit are inconclusive', async () => {
  answers['/'] = (_, response) => response.writeHead(200, { 'x-long': 'a'.repeat(100_000) }).end();
  expect(await check('http://shop.example/')).toEqual({ kind: 'unknown', reason: 'HPE_HEADER_OVERFLOW' });
});

test('a check that a shutdown interrupts is inconclusive', async () => {
  answers['/silent'] = () => undefined;
  const stopping = AbortSignal.timeout(100);
  const options = { resolve, userAgent: 'Stoa', timeoutMs: 5000, stopping };
  expect(await checkUrl('http://shop.example/silent', options)).toEqual({
    kind: 'unknown',
    reason: 'stopped',
  });
});

/** Faulty or hostile servers that the link check must survive. Each function writes to its connection. */
const hostile: Record<string, (socket: Socket) => void> = {
  'switches protocols': (socket) =>
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
  'switches protocols without a name': (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
  'switches protocols after an early hint': (socket) =>
    socket.write(
      'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 101 S\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
    ),
  'sends early hints for ever': (socket) => repeat(socket, 'HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n'),
  'sends 100 Continue for ever': (socket) => repeat(socket, 'HTTP/1.1 100 Continue\r\n\r\n'),
  'never ends its headers': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    repeat(socket, 'a: b\r\n');
  },
  'never ends one header': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\na: ');
    repeat(socket, 'b');
  },
  'stays silent': () => undefined,
  'closes the connection': (socket) => socket.end(),
  'closes the connection within its headers': (socket) => socket.end('HTTP/1.1 200 OK\r\na: b'),
  'resets the connection': (socket) => socket.resetAndDestroy(),
  'sends no HTTP': (socket) => repeat(socket, '\u0000\u0001'),
};

/** Writes the bytes every 5 ms until the connection closes. */
function repeat(socket: Socket, bytes: string): void {
  const timer = setInterval(() => socket.write(bytes), 5);
  socket.on('close', () => clearInterval(timer));
}

async function startPlainServer(talk: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const plain = createPlainServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.once('data', () => talk(socket));
  });
  const { promise, resolve: listening } = Promise.withResolvers<void>();
  plain.listen(0, '127.0.0.1', listening);
  await promise;
  return { plain, sockets, port: (plain.address() as AddressInfo).port };
}

test.each(Object.entries(hostile))(
  'a check ends and leaves no connection when a server %s',
  async (_, talk) => {
    const { plain, sockets, port } = await startPlainServer(talk);
    const here = resolveForTests(`hostile.example=127.0.0.1:${port}`);
    const began = performance.now();
    for (const scheme of ['http', 'https']) {
      const options = { resolve: here, userAgent: 'Stoa', timeoutMs: 150 };
      expect((await checkUrl(`${scheme}://hostile.example/`, options)).kind).not.toBe('works');
    }
    expect(performance.now() - began).toBeLessThan(5000);
    await waitFor(() => expect(sockets.size).toBe(0));
    plain.close();
  },
);

test('a link works when the headers arrive but the body and trailers do not', async () => {
  const { plain, port } = await startPlainServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: a\r\n\r\n0\r\n');
    repeat(socket, 'a: b\r\n');
  });
  const here = resolveForTests(`slow.example=127.0.0.1:${port}`);
  expect(
    await checkUrl('http://slow.example/', { resolve: here, userAgent: 'Stoa', timeoutMs: 2000 }),
  ).toEqual({
    kind: 'works',
  });
  plain.close();
});

test('a check ends when DNS is silent, redirects are slow or the process stops', async () => {
  const silent = () => new Promise<Resolution>(() => undefined);
  const options = { userAgent: 'Stoa', timeoutMs: 50 };
  expect(await checkUrl('http://shop.example/', { ...options, resolve: silent })).toEqual({
    kind: 'unknown',
    reason: 'too long',
  });
  answers['/'] = (_, response) => setTimeout(() => status(302, { location: '/' })(_, response), 700);
  expect(await checkUrl('http://shop.example/', { ...options, timeoutMs: 1000, resolve })).toEqual({
    kind: 'unknown',
    reason: 'too long',
  });
  const stopping = new AbortController();
  answers['/'] = () => stopping.abort();
  const stopped = { ...options, timeoutMs: 30_000, resolve, stopping: stopping.signal };
  expect(await checkUrl('http://shop.example/', stopped)).toEqual({ kind: 'unknown', reason: 'stopped' });
});
