import { goProgram, goPrograms, plainReporter } from '@stoa/system';
import { builtPrograms, operatorDefinitions } from '../src/programs.ts';

/** Renders the overlays. It is built within seconds if it is missing. */
export const kustomize = await goProgram(
  goPrograms.kustomize,
  plainReporter(() => undefined).task('kustomize', 'checking the cache'),
);

/** Fetches the custom resources of operators if they are missing; only the API server uses them. */
export const definitionsOfOperators = (): Promise<string> =>
  operatorDefinitions(plainReporter(() => undefined).task('definitions', 'checking the cache'));

/**
 * The programs of `npm run stoa build-program kubernetes`. Tests that need them are skipped with a message if
 * they are missing.
 */
export const programs = builtPrograms();

if (!programs)
  console.warn(
    'Not built: run "npm run stoa build-program kubernetes" for the checks that need a real API server.',
  );
