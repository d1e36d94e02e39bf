import { buildPromtool } from './promtool.ts';

await buildPromtool();
// Exits, because the watchdog of the stack tool would keep this process running.
process.exit();
