import { test as base, expect } from '@playwright/test';
import { linesSince, type LogLine, logLines } from './logs.ts';
import { theSystem } from './system.ts';
import { TelemetryReceiver } from './telemetry-receiver.ts';
import { newOrigin, type Origin, traceparentOf } from './trace-walk.ts';
import { type Asked, aScene, prepareAll, send } from './play-use-case.ts';
import { type Scene, type UseCase, useCases } from './use-cases.ts';

/** One use case as it was asked and answered. */
interface Played {
  readonly useCase: UseCase;
  readonly origin: Origin;
  readonly status: number;
  readonly text: string;
}

interface TelemetryFixtures {
  /** What the apps report of themselves, from the first test of the run on. */
  receiver: TelemetryReceiver;
  scene: Scene;
  /** Every use case, played once, and all that the apps logged meanwhile. */
  story: { readonly plays: readonly Played[]; readonly lines: readonly LogLine[] };
}

export const test = base.extend<object, TelemetryFixtures>({
  receiver: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads the pattern to know what a fixture needs.
    async ({}, use) => {
      const receiver = new TelemetryReceiver();
      await receiver.listen(theSystem().ports.otlp);
      await use(receiver);
      receiver.close();
    },
    { scope: 'worker' },
  ],
  scene: [({ receiver: _ }, use) => aScene().then(use), { scope: 'worker' }],
  story: [
    async ({ receiver: _, scene }, use) => {
      const before = logLines();
      const plays: Played[] = [];
      const asked = await prepareAll(scene);
      for (const [index, useCase] of useCases.entries()) {
        const origin = newOrigin();
        const response = await send(asked[index] as Asked, traceparentOf(origin));
        plays.push({ useCase, origin, status: response.status, text: await response.text() });
      }
      // A request is logged once its answer has left.
      const unlogged = () => {
        const text = linesSince(before)
          .map((line) => line.text)
          .join('\n');
        return plays.filter(({ origin }) => !text.includes(origin.traceId));
      };
      await expect.poll(unlogged, { timeout: 45_000 }).toEqual([]);
      await use({ plays, lines: linesSince(before) });
    },
    { scope: 'worker', timeout: 180_000 },
  ],
});

export { expect };
