import { execFileSync } from 'node:child_process';
import { builtPrograms } from '../src/programs.ts';

/** What `npm run stoa build-program kubernetes` built; tests that need it are skipped where it has not run, and say so. */
export const programs = builtPrograms();

if (!programs)
  console.warn(
    'Not built: run "npm run stoa build-program kubernetes" for the checks that need a real API server.',
  );

/** A client that builds overlays: the one that was built, or the machine's own. */
export const kubectl = programs?.kubectl ?? ownKubectl();

function ownKubectl(): string | undefined {
  try {
    execFileSync('kubectl', ['kustomize', '--help'], { stdio: 'ignore' });
    return 'kubectl';
  } catch {
    return undefined;
  }
}
