import { expect, test } from '@playwright/test';
import { readJourneys } from '@stoa/slo';
import { operations } from '../src/operations.ts';
import { routeOf } from '../src/run-use-case.ts';
import { useCases } from '../src/use-cases.ts';

const done = [...new Set(useCases.filter(({ status }) => status < 400).map(routeOf))];

/**
 * The use cases only test the refusal of these operations. To undo a change needs a mail: apps/identity/test/recovery/undo-change.spec.ts
 * and link-changes.spec.ts. A dead link needs checks over hours: apps/contact/test/link-health/link-health.spec.ts.
 */
const refused = [
  'POST /api/account-changes/undo',
  'POST /api/link-changes/undo',
  'POST /api/me/link-health/:id/looks',
];

/** Its answer comes from the shared cache, so its trace is random. apps/gateway/test/home.spec.ts tests it. */
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
