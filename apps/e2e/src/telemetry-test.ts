import { test as base, expect } from '@playwright/test';
import { fetchApi } from './api.ts';
import { saveProfile } from './creators.ts';
import { logLinesSince, type LogLine, logLines } from './logs.ts';
import { theSystem } from './system.ts';
import { TelemetryReceiver } from './telemetry-receiver.ts';
import { newOrigin, type Origin, traceparentOf } from './trace-tree.ts';
import { type UseCaseRequest, makeScene, prepareUseCases, sendTraced } from './run-use-case.ts';
import { type Scene, type UseCase, useCases } from './use-cases.ts';

interface UseCaseRun {
  readonly useCase: UseCase;
  readonly origin: Origin;
  readonly status: number;
  readonly text: string;
}

interface TelemetryFixtures {
  /** The telemetry of all apps since the first test of this run. */
  receiver: TelemetryReceiver;
  scene: Scene;
  /** One run of all use cases, and the log lines of the apps during it. */
  story: { readonly runs: readonly UseCaseRun[]; readonly lines: readonly LogLine[] };
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
      const runs: UseCaseRun[] = [];
      const requests = await prepareUseCases(scene);
      await waitForExports(receiver, scene);
      for (const [index, useCase] of useCases.entries()) {
        const origin = newOrigin();
        const response = await sendTraced(requests[index] as UseCaseRequest, traceparentOf(origin));
        runs.push({ useCase, origin, status: response.status, text: await response.text() });
      }
      // Waits, because an app logs a request only after it has sent the response.
      const unlogged = () => {
        const text = logLinesSince(before)
          .map((line) => line.text)
          .join('\n');
        return runs.filter(({ origin }) => !text.includes(origin.traceId));
      };
      await expect.poll(unlogged, { timeout: 45_000 }).toEqual([]);
      await use({ runs, lines: logLinesSince(before) });
    },
    { scope: 'worker', timeout: 180_000 },
  ],
});

/** Waits until each app has exported a new span. Before the receiver runs, the apps' queues are full and drop new spans. */
async function waitForExports(receiver: TelemetryReceiver, { creator: { token } }: Scene): Promise<void> {
  const since = Date.now();
  const silent = async () => {
    const reads = ['/api/me', '/api/me/offerings', '/api/me/held-messages', '/api/account/sessions'];
    await Promise.all(reads.map((path) => fetchApi('GET', path, { token })));
    // The gateway asks the media service for an unknown picture. The refusal is expected; only the span matters.
    await saveProfile(token, { profileImageId: crypto.randomUUID() }).catch(() => undefined);
    const exporting = new Set(
      receiver.spans.filter(({ startedAt }) => startedAt >= since).map(({ service }) => service),
    );
    return ['gateway', 'creators', 'offerings', 'media', 'contact', 'identity'].filter(
      (app) => !exporting.has(app),
    );
  };
  await expect.poll(silent, { timeout: 60_000 }).toEqual([]);
}

export { expect };
