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

/** What holds a service's pod, in that service's folder as in its image. */
function startGate() {
  const gate = spawn(process.execPath, [inRepository('libs/platform/dist/await-migrations.main.js')], {
    cwd: inRepository('apps/creators'),
    env: { DATABASE_URL: parts.postgres.urls.creators },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said = createInterface({ input: gate.stdout })[Symbol.asyncIterator]();
  const says = async () => String((await said.next()).value);

  /** Its first line that is no 'waiting': while migrations are applied it names what is left, once or several times. */
  async function opens(): Promise<string> {
    let line = await says();
    while (line.includes('waiting for')) line = await says();
    return line;
  }
  return { ended: once(gate, 'exit'), says, opens };
}

/** The Job `migrate`, with the secrets and settings that it is given. */
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
  expect(await gate.says()).toContain('waiting for 2');

  expect(await migrate()).toContain('migrations: applied for');

  expect(await gate.opens()).toContain('every migration is applied');
  expect(await gate.ended).toEqual([0, null]);
});

it('a service starts at once when its migrations are applied', async () => {
  const gate = startGate();
  expect(await gate.says()).toContain('every migration is applied');
  expect(await gate.ended).toEqual([0, null]);
});

it('the Job applies no migration twice', async () => {
  expect(await migrate()).toContain('migrations: up to date');
});

it('a set-up step without its secrets is refused', async () => {
  const step = run(process.execPath, [inRepository('tools/stack/src/main.ts'), 'set-up', 'postgres'], {
    env: { PATH: process.env['PATH'] },
  });
  await expect(step).rejects.toThrow('The secret POSTGRES_PASSWORD is missing.');
});
