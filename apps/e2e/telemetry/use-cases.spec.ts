import { expect, test } from '@playwright/test';
import { readJourneys } from '@stoa/slo';
import { operations } from '../src/operations.ts';
import { routeOf } from '../src/run-use-case.ts';
import { useCases } from '../src/use-cases.ts';

const done = [...new Set(useCases.filter(({ status }) => status < 400).map(routeOf))];

/**
 * Operations whose use case is only a refusal. Undoing a change needs the link of a mail; apps/identity/test/recovery tests
 * that. A dead link needs checks over hours; apps/contact/test/link-health tests that.
 */
const refused = [
  'POST /api/account-changes/undo',
  'POST /api/link-changes/undo',
  'POST /api/me/link-health/:id/looks',
];

/** The shared cache answers this operation, so its trace differs from run to run. apps/gateway/test/home.spec.ts tests it. */
const kept = ['GET /api/showcase'];

test('the use cases cover exactly the operations of the API', () => {
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
