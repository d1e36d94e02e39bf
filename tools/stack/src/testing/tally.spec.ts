import { expect, it } from 'vitest';
import { tally } from './tally.ts';

const passing = `
> nx run @stoa/creators:unit  [local cache]

 Test Files  2 passed (2)
      Tests  9 passed (9)

> nx run @stoa/creators:lint

> nx run @stoa/messaging:unit

No test files found, exiting with code 0

 NX   Successfully ran targets unit, lint for 2 projects
`;

const failing = `
✖ nx run @stoa/media:unit
      Tests  1 failed | 8 passed (9)

> nx run @stoa/e2e:e2e
  1 failed
    journeys.spec.ts:3:1 › signs up
  1 flaky
  5 passed (12.3s)

✖ nx run @stoa/web:typecheck
src/main.tsx(1,1): error TS1005

 NX   Ran targets unit, typecheck for 3 projects
Failed tasks:

- @stoa/media:unit
- @stoa/web:typecheck
- @stoa/e2e:e2e
`;

it('counts tests, and every other task as one', () => {
  expect(tally(passing)).toEqual({ passed: 10, failed: 0 });
});

it('counts failures, and a task that fails without a count as one', () => {
  expect(tally(failing)).toEqual({ passed: 8 + 6, failed: 1 + 1 + 1 });
});

it('reads through colours', () => {
  expect(
    tally('> nx run a:unit\n\u001b[2m      Tests \u001b[22m \u001b[32m3 passed\u001b[39m (3)\n'),
  ).toEqual({
    passed: 3,
    failed: 0,
  });
});
