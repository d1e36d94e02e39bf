import { expect, it } from '@jest/globals';
import { inRepository } from '@stoa/system/paths';
import { globSync, readFileSync } from 'node:fs';
import { generatedFiles, modules } from './generated.ts';

const names = Object.keys(modules) as (keyof typeof modules)[];

it.each(names)(
  '%s: generated files are up to date (else run "npm run stoa generate") [stack-2]',
  async (name) => {
    const files = await generatedFiles(name);
    const written = [...files.keys()].map(
      (path) => [path, readFileSync(inRepository(path), 'utf8')] as const,
    );
    expect(files.size).toBeGreaterThan(0);
    expect(new Map(written)).toEqual(files);
  },
  60_000,
);

it('generates each page of docs/reference', async () => {
  const files = await Promise.all((['reference', 'call-graph'] as const).map(generatedFiles));
  const generated = files.flatMap((one) => [...one.keys()]);
  expect(globSync('docs/reference/**/*', { cwd: inRepository() }).toSorted()).toEqual(generated.toSorted());
}, 60_000);
