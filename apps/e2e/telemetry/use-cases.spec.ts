import { expect, test } from '@playwright/test';
import { readJourneys } from '@stoa/slo';
import { inRepository } from '@stoa/system';
import { readFileSync } from 'node:fs';
import { routeOf } from '../src/run-use-case.ts';
import { useCases } from '../src/use-cases.ts';

/** The operations of the API, with their parameters written as the gateway's routes write them. */
function operations(): string[] {
  const { paths } = JSON.parse(readFileSync(inRepository('apps/gateway/openapi.json'), 'utf8')) as {
    paths: Record<string, object>;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
  );
}

const done = [...new Set(useCases.filter(({ status }) => status < 400).map(routeOf))];

/**
 * What is only seen refused here: taking a change back needs the mail about one, as in apps/identity/test/undo-change.spec.ts
 * and link-changes.spec.ts; a link is dead after looks that failed hours apart, as in apps/contact/test/link-health.spec.ts.
 */
const refused = [
  'POST /api/account-changes/undo',
  'POST /api/link-changes/undo',
  'POST /api/me/link-health/:id/looks',
];

/** Made of the answers of other use cases, which are kept for all: whose trace it has is a matter of chance. See apps/gateway/test/home.spec.ts. */
const kept = ['GET /api/showcase'];

test('the use cases cover every operation of the API, and no other', () => {
  const ofApi = done.filter((route) => route.includes(' /api/'));
  expect(useCases.map(routeOf)).toEqual(expect.arrayContaining(refused));
  expect([...ofApi, ...refused, ...kept].toSorted()).toEqual(operations().toSorted());
});

test('the use cases cover every route of an SLO', () => {
  const promised = readJourneys().flatMap(({ methods, routes }) =>
    routes.map((route) => ({ route, asked: methods.map((method) => `${method} ${route}`) })),
  );
  const untried = promised.filter(({ asked }) => !asked.some((operation) => done.includes(operation)));
  expect(untried.map(({ route }) => route)).toEqual([]);
});
