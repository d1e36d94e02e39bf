import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from '@jest/globals';
import { startTimeOf } from './process-identity.mjs';
import { waitFor } from '../testing/wait-for.ts';

it('ends all descendants and removes the temporary folder when the parent is killed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stoa-watchdog-'));
  const parent = spawn(process.execPath, [join(import.meta.dirname, 'fixtures/parent.ts'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: parent.stdout }), 'line')) as [string];
  const { leader, child } = JSON.parse(line) as { leader: number; child: number };
  expect([leader, child].map(startTimeOf)).not.toContain(undefined);

  parent.kill('SIGKILL');

  await waitFor(() => expect([leader, child].map(startTimeOf)).toEqual([undefined, undefined]), {
    timeout: 10_000,
  });
  await waitFor(() => expect(existsSync(folder)).toBe(false), { timeout: 10_000 });
});
