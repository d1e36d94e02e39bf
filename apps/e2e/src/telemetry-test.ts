import { test as base, expect } from '@playwright/test';
import { fetchApi } from './api.ts';
import { saveProfile } from './creators.ts';
import { logLinesSince, type LogLine, logLines } from './logs.ts';
import { theSystem } from './system.ts';
import { TelemetryReceiver } from './telemetry-receiver.ts';
import { newOrigin, type Origin, traceparentOf } from './trace-tree.ts';
import { type UseCaseRequest, makeScene, prepareUseCases, sendTraced } from './run-use-case.ts';
import { type Scene, type UseCase, useCases } from './use-cases.ts';

/** One use case as it was asked and answered. */
interface UseCaseRun {
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
  story: { readonly plays: readonly UseCaseRun[]; readonly lines: readonly LogLine[] };
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
  scene: [({ receiver: _ }, use) => makeScene().then(use), { scope: 'worker' }],
  story: [
    async ({ receiver, scene }, use) => {
      const before = logLines();
      const plays: UseCaseRun[] = [];
      const asked = await prepareUseCases(scene);
      await waitForExports(receiver, scene);
      for (const [index, useCase] of useCases.entries()) {
        const origin = newOrigin();
        const response = await sendTraced(asked[index] as UseCaseRequest, traceparentOf(origin));
        plays.push({ useCase, origin, status: response.status, text: await response.text() });
      }
      // A request is logged once its answer has left.
      const unlogged = () => {
        const text = logLinesSince(before)
          .map((line) => line.text)
          .join('\n');
        return plays.filter(({ origin }) => !text.includes(origin.traceId));
      };
      await expect.poll(unlogged, { timeout: 45_000 }).toEqual([]);
      await use({ plays, lines: logLinesSince(before) });
    },
    { scope: 'worker', timeout: 180_000 },
  ],
});

/**
 * While nobody listened the apps' queues filled up, and what a full queue is given is dropped: waits until each of them
 * has handed over something that was made since.
 */
async function waitForExports(receiver: TelemetryReceiver, { creator: { token } }: Scene): Promise<void> {
  const since = Date.now();
  const silent = async () => {
    const reads = ['/api/me', '/api/me/offerings', '/api/me/held-messages', '/api/account/sessions'];
    await Promise.all(reads.map((path) => fetchApi('GET', path, { token })));
    // A picture that nobody uploaded is asked about, and refused.
    await saveProfile(token, { profileImageId: crypto.randomUUID() }).catch(() => undefined);
    const heard = new Set(
      receiver.spans.filter(({ startedAt }) => startedAt >= since).map(({ service }) => service),
    );
    return ['gateway', 'creators', 'offerings', 'media', 'contact', 'identity'].filter(
      (app) => !heard.has(app),
    );
  };
  await expect.poll(silent, { timeout: 60_000 }).toEqual([]);
}

export { expect };
