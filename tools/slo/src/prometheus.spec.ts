import { inRepository } from '@stoa/system';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { findPromtool } from './promtool.ts';

const promtool = findPromtool();
const run = promisify(execFile);
const folder = inRepository('deploy/prometheus');
const files = readdirSync(join(folder, 'rules'));

if (!promtool)
  console.warn('Not built: run "npm run stoa build-program promtool" for the checks that need promtool.');
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

  it('parses every query of the dashboard', async () => {
    const dashboard = parse(readFileSync(join(folder, '../grafana/dashboards/journeys.json'), 'utf8')) as {
      panels: { targets?: { expr: string }[] }[];
    };
    const queries = dashboard.panels.flatMap(({ targets }) => targets ?? []).map(({ expr }) => expr);
    expect(queries.length).toBeGreaterThan(30);
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
