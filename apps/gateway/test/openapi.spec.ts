import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';

let gateway: GatewayUnderTest;

beforeAll(async () => {
  gateway = await startGatewayUnderTest();
});
afterAll(() => gateway.stop());

test("the checked-in openapi.json is the API's description (`npm run stoa generate openapi` writes it)", async () => {
  const described: unknown = await (await fetch(`${gateway.url}/api/openapi.json`)).json();
  await expect(`${JSON.stringify(described, null, 2)}\n`).toMatchFileSnapshot('../openapi.json');
});

test('every route of the API is described with its problems', async () => {
  const described = (await (await fetch(`${gateway.url}/api/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { responses: object }>>;
  };
  const operations = Object.values(described.paths).flatMap((path) => Object.values(path));
  expect(operations.length).toBeGreaterThan(14);
  for (const { responses } of operations)
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['400', '503', '504']));
});
