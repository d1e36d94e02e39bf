import { creators } from '@stoa/contracts';
import { makeCaller } from '@stoa/testing';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { areaOfTarget } from '../src/http/area.ts';
import { headersFor } from '../src/http/response-headers.ts';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { ServiceStubs } from './service-stubs.ts';

let gateway: GatewayUnderTest;
let services: ServiceStubs;

beforeAll(async () => {
  gateway = await startGatewayUnderTest();
  services = new ServiceStubs(gateway);
});
afterAll(async () => {
  await services.leave();
  await gateway.stop();
});

const addresses = {
  KEYCLOAK_URL: 'https://id.example',
  MEDIA_PUBLIC_URL: 'https://media.example/stoa-public',
  S3_PUBLIC_ENDPOINT: 'https://media.example',
};

test('pages have a strict Content-Security-Policy with Trusted Types [gateway-59]', () => {
  const policy = headersFor({ ...addresses, SITE_URL: 'https://stoa.example' })('page')[
    'content-security-policy'
  ];
  expect(policy).not.toContain('unsafe');
  expect(policy).toContain("style-src 'self';");
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'");
});

test('only the API document may use inline styles [gateway-60]', () => {
  const of = headersFor({ ...addresses, SITE_URL: 'https://stoa.example' });
  const unsafe = ['/', '/api', '/api/me', '/api/docsx', '/api/docs', '/api/docs/swagger-ui.css'].filter(
    (path) => of(areaOfTarget(path))['content-security-policy']?.includes('unsafe'),
  );
  expect(unsafe).toEqual(['/api/docs', '/api/docs/swagger-ui.css']);
});

test('HSTS is sent when the site has https [gateway-61]', () => {
  const of = (SITE_URL: string) => Object.keys(headersFor({ ...addresses, SITE_URL })('page'));
  expect(of('https://stoa.example')).toContain('strict-transport-security');
  expect(of('http://localhost:8080')).not.toContain('strict-transport-security');
});

test('personal responses are no-store [gateway-62]', async () => {
  await services.refuse(creators.readOwn, 'not_found');
  const authorization = `Bearer ${await gateway.token(makeCaller())}`;
  for (const path of [
    '/api/me',
    '/api/me/offerings',
    `/api/offerings/${crypto.randomUUID()}`,
    '/api/config',
  ]) {
    const { headers } = await fetch(gateway.url + path, { headers: { authorization } });
    expect(headers.get('cache-control')).toBe('no-store');
  }
});

test('a 304 has the security headers [gateway-63]', async () => {
  const first = await fetch(`${gateway.url}/api/config`);
  const again = await fetch(`${gateway.url}/api/config`, {
    headers: { 'if-none-match': first.headers.get('etag') ?? '' },
  });
  expect(again.status).toBe(304);
  expect(again.headers.get('content-security-policy')).toBe(first.headers.get('content-security-policy'));
  expect(again.headers.get('x-content-type-options')).toBe('nosniff');
});

/** Requests the target unchanged, unlike `fetch`, and with the `Accept` header of a browser. */
function ask(path: string) {
  const { promise, resolve, reject } = Promise.withResolvers<Record<string, unknown>>();
  const { hostname, port } = new URL(gateway.url);
  request({ hostname, port, path, headers: { accept: 'text/html' } }, (answer) => {
    answer.resume();
    resolve({ status: answer.statusCode, ...answer.headers });
  })
    .once('error', reject)
    .end();
  return promise;
}

const spellings = (path: string) => [
  path,
  path.replace('/api', '/%61pi'),
  path.replace('/api', '/%61%70%69'),
  `http://anybody.example${path}`,
  `${path}?x=/about`,
];

test.each(['/api/config', '/api/me', '/api/nothing', '/api/creators/%20'].flatMap(spellings))(
  '%s is answered as the API in every spelling',
  async (path) => {
    const { status, ...headers } = await ask(path);
    expect(headers['content-type']).toMatch(status === 200 ? 'application/json' : 'application/problem+json');
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['content-security-policy']).toBe(
      headersFor({ ...addresses, SITE_URL: gateway.url })('api')['content-security-policy'],
    );
  },
);

test.each(['/apiary', '/api%2Fme', '/about/../api', '/x?y=/api/me'])(
  '%s is answered as a page',
  async (path) => {
    const headers = await ask(path);
    expect(headers['content-type']).toMatch('text/html');
  },
);
