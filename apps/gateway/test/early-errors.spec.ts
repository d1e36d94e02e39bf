import { Problem } from '@stoa/contracts';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';

let gateway: GatewayUnderTest;

beforeAll(async () => {
  gateway = await startGatewayUnderTest();
});
afterAll(() => gateway.stop());

interface RawAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Sends the bytes unchanged, unlike an HTTP client, and returns the response. */
function exchange(text: string): Promise<RawAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>();
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  let received = '';
  socket.setTimeout(10_000, () => socket.destroy(new Error(`no whole answer: ${received}`)));
  socket.on('error', reject);
  socket.on('data', (data) => (received += data.toString('latin1')));
  socket.on('end', () => {
    const [head = '', ...body] = received.split('\r\n\r\n');
    const [first = '', ...lines] = head.split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [line.split(':', 1)[0]!.toLowerCase(), line.replace(/^[^:]*:\s*/, '')]),
    );
    resolve({ status: Number(first.split(' ')[1]), headers, body: body.join('\r\n\r\n') });
  });
  socket.write(text);
  return promise;
}

const ask = (line: string, headers: string[] = [], body = '') =>
  exchange([line, 'Host: localhost', 'Connection: close', ...headers, '', body].join('\r\n'));

const withHosts = (hosts: string[], headers: string[], path = '/about') =>
  exchange([`GET ${path} HTTP/1.1`, 'Connection: close', ...hosts, ...headers, '', ''].join('\r\n'));

const early: [what: string, status: number, ask: (headers: string[]) => Promise<RawAnswer>][] = [
  ['an address that cannot be decoded', 400, (headers) => ask('GET /%E0%A4%A HTTP/1.1', headers)],
  ['input that is not HTTP', 400, (headers) => ask('GET / HTTP/9.9', headers)],
  [
    'two lengths',
    400,
    (headers) => ask('POST / HTTP/1.1', [...headers, 'Content-Length: 1', 'Content-Length: 2']),
  ],
  [
    'a length beside chunks',
    400,
    (headers) => ask('POST / HTTP/1.1', [...headers, 'Content-Length: 1', 'Transfer-Encoding: chunked']),
  ],
  ['an address over the limit', 431, (headers) => ask(`GET /${'a'.repeat(20_000)} HTTP/1.1`, headers)],
  [
    'headers over the limit',
    431,
    (headers) => ask('GET / HTTP/1.1', [...headers, `X-Much: ${'a'.repeat(20_000)}`]),
  ],
  ['an unknown expectation', 417, (headers) => ask('GET / HTTP/1.1', [...headers, 'Expect: a-miracle'])],
  ['an address without a host', 400, (headers) => withHosts([], headers)],
  ['a cached address without a host', 400, (headers) => withHosts([], headers, '/api/site')],
  ['an empty host', 400, (headers) => withHosts(['Host:'], headers)],
  ['a path beside the host', 400, (headers) => withHosts(['Host: x/y'], headers)],
  ['a name beside the host', 400, (headers) => withHosts(['Host: a@localhost'], headers)],
  ['two hosts in one line', 400, (headers) => withHosts(['Host: a, b'], headers)],
  ['two hosts', 400, (headers) => withHosts(['Host: localhost', 'hOST: example.org'], headers)],
  ['one host twice', 400, (headers) => withHosts(['Host: localhost', 'Host: localhost'], headers)],
  ['a method that the address does not take', 405, (headers) => ask('POST /about HTTP/1.1', headers)],
];

const protections = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'permissions-policy',
  'referrer-policy',
  'x-content-type-options',
  'x-frame-options',
];

test.each(early)(
  '%s is answered with problem details and every security header [gateway-31]',
  async (_, status, send) => {
    const answer = await send([]);
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toContain('application/problem+json');
    expect(Problem.parse(JSON.parse(answer.body))).toMatchObject({ status, type: 'about:blank' });
    expect(Object.keys(answer.headers)).toEqual(expect.arrayContaining(protections));
    expect(answer.headers['cache-control']).toBe('no-store');
  },
);

test.each(early.filter(([what]) => !/not HTTP|length|cached/.test(what)))(
  '%s is answered with a page to a browser',
  async (_, status, send) => {
    const answer = await send(['Accept: text/html,application/xhtml+xml,*/*;q=0.8']);
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toContain('text/html');
    expect(answer.body).toMatch(/<h1>[^<]+<\/h1>/);
    expect(answer.headers['content-security-policy']).toMatch(/^default-src 'none'.*style-src 'sha256-/);
    expect(Object.keys(answer.headers)).toEqual(expect.arrayContaining(protections));
  },
);

test.each([
  ['POST', '/api/me', 'GET, HEAD, OPTIONS'],
  ['GET', '/api/session', 'POST, OPTIONS'],
  ['HEAD', '/api/session', 'POST, OPTIONS'],
  ['PATCH', '/api/offerings/x', 'GET, HEAD, PUT, DELETE, OPTIONS'],
  ['DELETE', '/', 'GET, HEAD, OPTIONS'],
  ['TRACE', '/api/me', 'GET, HEAD, OPTIONS'],
  ['QUERY', '/api/me', 'GET, HEAD, OPTIONS'],
  ['PROPFIND', '/api/me', 'GET, HEAD, OPTIONS'],
  ['PUT', '/profile/ama', 'GET, HEAD, OPTIONS'],
] as const)('%s %s is 405 with Allow [gateway-32]', async (method, path, allow) => {
  const answer = await ask(`${method} ${path} HTTP/1.1`);
  expect(answer.status).toBe(405);
  expect(answer.headers['allow']?.split(', ').toSorted()).toEqual(allow.split(', ').toSorted());
  expect(answer.headers['content-type']).toContain('application/problem+json');
});

test('OPTIONS answers Allow and no CORS header [gateway-33]', async () => {
  const answer = await ask('OPTIONS /api/me HTTP/1.1', [
    'Origin: https://elsewhere.example',
    'Access-Control-Request-Method: GET',
  ]);
  expect(answer.status).toBe(204);
  expect(answer.headers['allow']).toBe('GET, HEAD, OPTIONS');
  expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
});

test.each(['OPTIONS', 'POST', 'GET', 'QUERY'])('%s of an unknown address is 404', async (method) => {
  expect((await ask(`${method} /api/none HTTP/1.1`)).status).toBe(404);
});

test.each([
  ['text/plain', 'x'],
  ['application/x-www-form-urlencoded', 'name=x'],
  ['multipart/form-data; boundary=x', '--x--'],
  ['application/xml', '<a/>'],
  ['nonsense', 'x'],
] as const)('a body of %s is 415', async (type, body) => {
  const answer = await ask(
    'POST /api/contact-messages HTTP/1.1',
    [`Content-Type: ${type}`, `Content-Length: ${body.length}`],
    body,
  );
  expect(answer.status).toBe(415);
  expect(Problem.parse(JSON.parse(answer.body)).code).toBe('unsupported_media_type');
});

test('errors of body and token have every security header', async () => {
  const large = 'x'.repeat(140_000);
  const json = ['Content-Type: application/json'];
  const answers = await Promise.all([
    ask('POST /api/contact-messages HTTP/1.1', [...json, `Content-Length: ${large.length}`], large),
    ask('POST /api/contact-messages HTTP/1.1', [...json, 'Content-Length: 1'], '{'),
    ask('GET /api/me HTTP/1.1', ['Authorization: Bearer x']),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([413, 400, 401]);
  for (const { headers } of answers)
    expect(Object.keys(headers)).toEqual(expect.arrayContaining(protections));
});

test('HEAD is GET without a body', async () => {
  const [get, head] = await Promise.all(
    ['GET', 'HEAD'].map((method) => ask(`${method} /api/config HTTP/1.1`)),
  );
  expect([get?.status, head?.status]).toEqual([200, 200]);
  expect(head?.body).toBe('');
  expect(head?.headers['content-length']).toBe(get?.headers['content-length']);
});

test('an overlong path segment is 414', async () => {
  const answer = await ask(`POST /api/creators/${'a'.repeat(300)}/messages HTTP/1.1`);
  expect(answer.status).toBe(414);
  expect(Problem.parse(JSON.parse(answer.body)).title).toBe('URI Too Long');
  expect(Object.keys(answer.headers)).toEqual(expect.arrayContaining(protections));
});
