import { plainReporter } from '@stoa/system';
import { buildPrograms } from './programs.ts';

const task = plainReporter((line) => console.log(line)).task('Kubernetes programs', 'looking');
await buildPrograms(task);
task.done();
// The watchdog of the stack tool would keep the process alive.
process.exit();
