import { createConfig, lintFromString } from '@redocly/openapi-core';
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';

interface Operation {
  readonly responses: Record<string, { headers?: Record<string, object>; content?: object }>;
}

const checkedIn = new URL('../openapi.json', import.meta.url);
let gateway: GatewayUnderTest;
let document: string;

beforeAll(async () => {
  gateway = await startGatewayUnderTest();
  document = await (await fetch(`${gateway.url}/api/openapi.json`)).text();
});
afterAll(() => gateway.stop());

test('openapi.json is up to date (`npm run stoa generate openapi` writes it)', async () => {
  const described = `${JSON.stringify(JSON.parse(document), null, 2)}\n`;
  if (process.env['STOA_WRITE']) writeFileSync(checkedIn, described);
  expect(readFileSync(checkedIn, 'utf8')).toBe(described);
});

test('the document is valid OpenAPI 3.1, with a summary and descriptions of each operation and parameter', async () => {
  const config = await createConfig({
    extends: ['recommended-strict'],
    rules: {
      'operation-description': 'error',
      'parameter-description': 'error',
      // Switched off, because some operations only redirect.
      'operation-2xx-response': 'off',
      'rule/operation-success-response': {
        subject: { type: 'Responses' },
        assertions: { requireAny: ['200', '201', '202', '204', '302'] },
      },
      // Switched off, because the address of the server is relative (`/`).
      'no-server-example.com': 'off',
    },
  });
  const findings = await lintFromString({ source: document, absoluteRef: 'openapi.json', config });
  expect(findings.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
    [],
  );
  expect(document).toContain('"openapi":"3.1.');
});

test('a redirect is described with its Location', () => {
  const { paths } = JSON.parse(document) as { paths: Record<string, Record<string, Operation>> };
  const redirects = Object.values(paths)
    .flatMap((path) => Object.values(path))
    .flatMap(({ responses }) => (responses['302'] ? [responses['302']] : []));
  expect(redirects.length).toBeGreaterThan(0);
  for (const { headers, content } of redirects) {
    expect(headers?.['Location']).toMatchObject({ required: true, schema: { format: 'uri' } });
    expect(content).toBeUndefined();
  }
});

test('every route of the API is described with its problems', () => {
  const described = JSON.parse(document) as { paths: Record<string, Record<string, { responses: object }>> };
  const operations = Object.values(described.paths).flatMap((path) => Object.values(path));
  expect(operations.length).toBeGreaterThan(14);
  for (const { responses } of operations)
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['400', '405', '503', '504']));
});
