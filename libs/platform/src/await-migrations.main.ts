// Runs before a service starts, in the service's folder. It ends once the database has every migration of
// this release. The service itself cannot wait, because it would take requests from NATS immediately.
import { setTimeout as pause } from 'node:timers/promises';
import { missingMigrations } from './migrations.ts';

const pollMs = 1000;
const url = process.env['DATABASE_URL'];
if (!url) throw new Error('DATABASE_URL is not set.');

// Handles SIGTERM, because the kernel sends process 1 of a container only signals that it handles.
process.on('SIGTERM', () => process.exit(1));

const state = () =>
  missingMigrations(url, 'prisma/migrations').then(
    (missing) => (missing.length > 0 ? `waiting for ${missing.join(', ')}` : 'every migration is applied'),
    (error: unknown) => `waiting for the database: ${String(error)}`,
  );

let logged = '';
for (let now = await state(); ; now = await state()) {
  if (now !== logged) console.log(JSON.stringify({ level: 'info', time: Date.now(), msg: now }));
  logged = now;
  if (!now.startsWith('waiting')) break;
  await pause(pollMs);
}
