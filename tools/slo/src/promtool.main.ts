import { buildPromtool } from './promtool.ts';

await buildPromtool();
// The watchdog of the stack tool would keep this process running.
process.exit();
