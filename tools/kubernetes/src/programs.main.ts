import { plainReporter } from '@stoa/system';
import { buildPrograms } from './programs.ts';

const task = plainReporter((line) => console.log(line)).task('Kubernetes programs', 'checking the cache');
await buildPrograms(task);
task.done();
// Exits, because the watchdog of the stack tool would keep this process running.
process.exit();
