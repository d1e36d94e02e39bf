import { installEngines, missingEngines } from '@stoa/system/fetch/browser-engines';
import { canInstallPackages } from '@stoa/system/fetch/debian-packages';
import { CommandFailed } from '@stoa/system/processes/run';
import type { Reporter } from '@stoa/system/progress';

/**
 * Makes the browsers besides Chromium ready, and names those that are missing. They are packages of the system, so they
 * are installed unasked where nobody's machine is changed by it alone: in CI.
 */
export async function prepareEngines(reporter: Reporter): Promise<void> {
  if (process.env.CI && missingEngines().length > 0 && canInstallPackages()) {
    const task = reporter.task('Engines', 'preparing');
    try {
      await installEngines(task);
      task.done();
    } catch (error) {
      if (!(error instanceof CommandFailed)) throw error;
      task.fail(error.message);
    }
  }
  for (const sentence of missingEngines()) reporter.line(sentence);
}
