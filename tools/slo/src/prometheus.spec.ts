import { inRepository } from '@stoa/system';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { findPromtool } from './promtool.ts';
import { queriesOfDashboards, queriesOfExamples } from './queries-in-use.ts';

const promtool = findPromtool();
const run = promisify(execFile);
const folder = inRepository('deploy/prometheus');
const files = readdirSync(join(folder, 'rules'));

if (!promtool)
  console.warn('promtool is missing, so its checks are skipped: run "npm run stoa build-program promtool".');
(promtool ? describe : describe.skip)('Prometheus', () => {
  const ask = (...args: string[]) => run(promtool ?? '', args, { cwd: folder });

  it.each(files)('accepts the rules of %s', async (file) => {
    await expect(ask('check', 'rules', `rules/${file}`)).resolves.toBeDefined();
  });

  it.each(files)(
    'passes the alert tests of %s',
    async (file) => {
      const { stdout } = await ask('test', 'rules', `tests/${file}`);
      expect(stdout).toContain('SUCCESS');
    },
    120_000,
  );

  it('parses every query of the dashboards, and of the examples', async () => {
    const queries = [...queriesOfDashboards().values(), queriesOfExamples()].flat();
    expect(queries.length).toBeGreaterThan(80);
    const scratch = mkdtempSync(join(tmpdir(), 'stoa-slo-'));
    try {
      const rules = queries.map((expr, index) => ({ record: `dashboard:query:${index}`, expr }));
      writeFileSync(join(scratch, 'rules.yaml'), JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
      await expect(ask('check', 'rules', '--lint=none', join(scratch, 'rules.yaml'))).resolves.toBeDefined();
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  });
});
