import { chromium } from '@playwright/test';
import { setTimeout as pause } from 'node:timers/promises';
import { launchOptions } from '@stoa/e2e/chromium';
import { theSystem } from '@stoa/e2e/system';
import { newOrigin, traceparentOf } from '@stoa/e2e/trace-tree';
import { makeScene, runUseCase } from '@stoa/e2e/run-use-case';
import { useCases } from '@stoa/e2e/use-cases';
import { writePicture } from './sheet.ts';

const viewport = { width: 1280, height: 900 };
/** The area of the spans; the text beside them describes the machine. */
const spans = { x: 0, y: 64, width: 800, height: 740 };

/** Takes a picture of the trace of one created offering in the system's trace viewer. */
export async function takeTrace(file: string): Promise<void> {
  const viewer = `http://127.0.0.1:${theSystem().ports.traces}/zipkin`;
  const traceId = await createOffering();
  await settledTrace(`${viewer}/api/v2/trace/${traceId}`);
  const browser = await chromium.launch(launchOptions());
  try {
    const page = await browser.newPage({ viewport, colorScheme: 'light', locale: 'en-GB' });
    await page.goto(`${viewer}/traces/${traceId}`);
    await page.getByText('offerings/create').first().waitFor();
    await writePicture(await page.screenshot({ clip: spans }), file);
  } finally {
    await browser.close();
  }
}

async function createOffering(): Promise<string> {
  const useCase = useCases.find(({ name }) => name === 'create an offering');
  if (!useCase) throw new Error('No use case creates an offering.');
  const origin = newOrigin();
  const response = await runUseCase(useCase, await makeScene(), traceparentOf(origin));
  if (response.status !== useCase.status) throw new Error(`Creating answered ${response.status}.`);
  return origin.traceId;
}

/** Each app exports its own spans, so a trace counts as complete once it no longer grows. */
async function settledTrace(address: string): Promise<void> {
  const unchanged = 5;
  const until = Date.now() + 60_000;
  let size = 0;
  for (let same = 0; same < unchanged;) {
    if (Date.now() > until) throw new Error(`The trace at ${address} did not become complete.`);
    await pause(1000);
    const response = await fetch(address, { signal: AbortSignal.timeout(5000) });
    const spans = response.ok ? ((await response.json()) as unknown[]).length : 0;
    same = spans > 0 && spans === size ? same + 1 : 0;
    size = spans;
  }
}
