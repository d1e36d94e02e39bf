import { resolve } from 'node:path';
import { assemble } from './assemble.ts';

const [app, out] = process.argv.slice(2);
if (!app || !out) {
  console.error('Usage: npm run assemble -w @stoa/images -- <app> <folder>');
  process.exit(1);
}
await assemble(resolve(import.meta.dirname, '../../..'), app, resolve(out));
