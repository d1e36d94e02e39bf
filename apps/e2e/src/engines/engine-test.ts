import { expect, test as base } from '@playwright/test';
import { firefox, missingEngines, webKit } from '@stoa/system/fetch/browser-engines';
import { writeFile } from 'node:fs/promises';
import { firefoxEngine } from './firefox-visitor.ts';
import type { Engine, Setup, Visitor } from './visitor.ts';
import { webKitEngine } from './webkit-visitor.ts';

export interface EngineOptions {
  /** The browser engine, which playwright.config.ts sets for each project. */
  engineName: 'Firefox' | 'WebKit';
}

/** Tests in another engine than Chromium. They are skipped if it is not installed. */
export const test = base.extend<
  { setup: Setup; visitor: Visitor },
  EngineOptions & { engine: Engine | undefined }
>({
  engineName: ['Firefox', { option: true, scope: 'worker' }],
  engine: [
    async ({ engineName }, use) => {
      const engine = await startEngine(engineName);
      await use(engine);
      await engine?.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  setup: [{ dark: false, width: 1280, height: 900 }, { option: true }],
  visitor: async ({ engine, engineName, setup }, use, info) => {
    const why = missingEngines().find((sentence) => sentence.startsWith(engineName));
    if (!engine) return base.skip(true, why);
    const visit = await engine.visit(setup);
    await use(visit.visitor);
    if (info.status !== info.expectedStatus) {
      const path = info.outputPath('window.png');
      await writeFile(path, await visit.picture());
      await info.attach('window', { path, contentType: 'image/png' });
    }
    await visit.close();
  },
});

function startEngine(name: EngineOptions['engineName']): Promise<Engine | undefined> {
  if (name === 'Firefox') {
    const program = firefox();
    return program ? firefoxEngine(program) : Promise.resolve(undefined);
  }
  const programs = webKit();
  return programs ? webKitEngine(programs) : Promise.resolve(undefined);
}

export { expect };
