import { inRepository, run, startParts, type Parts } from '@stoa/system';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from '@jest/globals';

let parts: Parts;
beforeAll(async () => {
  parts = await startParts({ only: ['postgres'] });
});
afterAll(() => parts.stop());

/** Starts the program that delays a service's pod, in the service's folder as in its image. */
function startGate() {
  const gate = spawn(process.execPath, [inRepository('libs/platform/dist/await-migrations.main.js')], {
    cwd: inRepository('apps/creators'),
    env: { DATABASE_URL: parts.postgres.urls.creators },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: gate.stdout })[Symbol.asyncIterator]();
  const nextLine = async () => String((await lines.next()).value);

  /** Its first line other than 'waiting': it prints the pending migrations once or several times. */
  async function opens(): Promise<string> {
    let line = await nextLine();
    while (line.includes('waiting for')) line = await nextLine();
    return line;
  }
  return { ended: once(gate, 'exit'), nextLine, opens };
}

/** Runs the Job `migrate` with its secrets and settings. */
async function migrate(): Promise<string> {
  const { host } = new URL(parts.postgres.urls.creators);
  const { password } = new URL(parts.postgres.migrationUrls.creators);
  return run(process.execPath, [inRepository('tools/stack/src/main.ts'), 'set-up', 'migrations'], {
    cwd: '/',
    env: {
      PATH: process.env['PATH'],
      POSTGRES_ADDRESS: host,
      POSTGRES_MIGRATION_PASSWORD: password,
    },
  });
}

it('a service waits until the Job has applied its migrations', async () => {
  const gate = startGate();
  expect(await gate.nextLine()).toContain('waiting for 2');

  expect(await migrate()).toContain('migrations: applied for');

  expect(await gate.opens()).toContain('every migration is applied');
  expect(await gate.ended).toEqual([0, null]);
});

it('a service starts immediately when its migrations are applied', async () => {
  const gate = startGate();
  expect(await gate.nextLine()).toContain('every migration is applied');
  expect(await gate.ended).toEqual([0, null]);
});

it('the Job applies no migration twice', async () => {
  expect(await migrate()).toContain('migrations: up to date');
});

it('a set-up step refuses to run without its secrets', async () => {
  const step = run(process.execPath, [inRepository('tools/stack/src/main.ts'), 'set-up', 'postgres'], {
    env: { PATH: process.env['PATH'] },
  });
  await expect(step).rejects.toThrow('The secret POSTGRES_PASSWORD is missing.');
});
