import { expect, test } from '@playwright/test';
import { inRepository } from '@stoa/stack';
import { readFileSync } from 'node:fs';
import { routeOf, useCases } from '../src/use-cases.ts';

/** The operations of the API, with their parameters written as the gateway's routes write them. */
function operations(): string[] {
  const { paths } = JSON.parse(readFileSync(inRepository('apps/gateway/openapi.json'), 'utf8')) as {
    paths: Record<string, object>;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
  );
}

test('every operation of the API is done by some use case, and each use case does one of them', () => {
  const done = new Set(useCases.filter(({ status }) => status < 400).map(routeOf));
  expect([...done].toSorted()).toEqual(operations().toSorted());
});
