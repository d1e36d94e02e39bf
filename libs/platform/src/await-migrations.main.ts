// Run before a service starts, in the service's folder: ends once its database has every migration that this
// release was built with. A service asks no earlier, because on the bus it would take requests at once.
import { setTimeout as pause } from 'node:timers/promises';
import { missingMigrations } from './migrations.ts';

const betweenLooksMs = 1000;
const url = process.env['DATABASE_URL'];
if (!url) throw new Error('DATABASE_URL is not set.');

// The first process of a container is ended by no signal that it does not handle.
process.on('SIGTERM', () => process.exit(1));

const state = () =>
  missingMigrations(url, 'prisma/migrations').then(
    (missing) => (missing.length > 0 ? `waiting for ${missing.join(', ')}` : 'every migration is applied'),
    (error: unknown) => `waiting for the database: ${String(error)}`,
  );

let said = '';
for (let now = await state(); ; now = await state()) {
  if (now !== said) console.log(JSON.stringify({ level: 'info', time: Date.now(), msg: now }));
  said = now;
  if (!now.startsWith('waiting')) break;
  await pause(betweenLooksMs);
}
