import { installEngines, missingEngines } from '@stoa/system/fetch/browser-engines';
import { canInstallPackages } from '@stoa/system/fetch/debian-packages';
import { CommandFailed } from '@stoa/system/processes/run';
import type { Reporter } from '@stoa/system/progress';

/**
 * Prepares the browsers other than Chromium and reports the missing ones. Only CI installs them
 * automatically, because they are packages of the operating system.
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
