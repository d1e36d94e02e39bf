import { Problem } from '@stoa/system/problem';
import { scriptCommand } from './script.ts';
import { withSystem } from './with-system.ts';

/** As in production: what the tests allow a busy machine would be seen in the longest calls. */
const patience = { PAGE_PATIENCE_MS: '250', READ_TIMEOUT_MS: '2000' };

/** Each app once, as `npm start` runs them; the drill has two of each otherwise, as production does. */
const single = '--single';

/** Runs a drill on a system of its own, never on anybody's data. */
export async function drill([name, ...args]: string[]): Promise<number> {
  if (name === 'restore') return withSystem([...scriptCommand('@stoa/e2e', 'restore-drill')]);
  if (name === 'faults')
    return withSystem(
      [...scriptCommand('@stoa/e2e', 'fault-drill'), '--', ...args.filter((arg) => arg !== single)],
      {
        replicated: !args.includes(single),
        overrides: patience,
      },
    );
  throw new Problem('Name the drill, as in "npm run stoa drill restore" or "npm run stoa drill faults".');
}
