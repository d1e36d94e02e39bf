import { goProgram, goPrograms, plainReporter } from '@stoa/system';
import { builtPrograms } from '../src/programs.ts';

/** Draws the overlays. Built within seconds where it is not there yet. */
export const kustomize = await goProgram(
  goPrograms.kustomize,
  plainReporter(() => undefined).task('kustomize', 'looking'),
);

/** What `npm run stoa build-program kubernetes` built; the test that needs it is skipped where it has not run, and says so. */
export const programs = builtPrograms();

if (!programs)
  console.warn(
    'Not built: run "npm run stoa build-program kubernetes" for the checks that need a real API server.',
  );
