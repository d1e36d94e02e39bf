import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, vi } from 'vitest';
import { startTimeOf } from '../../bin/process-identity.mjs';

it('ends children, their children and the temporary folder when the parent is killed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stoa-watchdog-'));
  const parent = spawn(process.execPath, [join(import.meta.dirname, 'fixtures/parent.ts'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: parent.stdout }), 'line')) as [string];
  const { leader, child } = JSON.parse(line) as { leader: number; child: number };
  expect([leader, child].map(startTimeOf)).not.toContain(undefined);

  parent.kill('SIGKILL');

  await vi.waitFor(() => expect([leader, child].map(startTimeOf)).toEqual([undefined, undefined]), 10_000);
  await vi.waitFor(() => expect(existsSync(folder)).toBe(false), 10_000);
});
