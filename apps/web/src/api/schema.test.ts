import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import { expect, test } from '@jest/globals';

const read = (path: string) => readFile(join(import.meta.dirname, path), 'utf8');

test('the types are those of the OpenAPI document of the gateway (npm run api:types -w @stoa/web)', async () => {
  const generated = astToString(await openapiTS(await read('../../../gateway/openapi.json')));
  expect(compact(await read('schema.d.ts'))).toBe(compact(generated));
});

// The generator's header and the formatter's taste are no drift.
function compact(source: string): string {
  return source.replace(/^\/\*\*[\s\S]*?\*\/\s*/, '').replace(/[\s;,'"|]+/g, '');
}
