import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { brokenLinks } from './links.ts';

const folder = mkdtempSync(join(tmpdir(), 'stoa-links-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('finds broken links and missing pictures', () => {
  const other = ['# On *the* cluster', '', '## Size', '', '## Size'].join('\n');
  writeFileSync(join(folder, 'other.md'), other);
  const document = join(folder, 'document.md');
  const there =
    '[a](other.md), [b](other.md#on-the-cluster), [c](other.md#size-1), [d](#here), [e](https://x.test/y)';
  const nowhere = '![a](lost.webp), [b](other.md#size-2), [c](#there) | [d](lost.md#size)';
  writeFileSync(document, `# Here\n\n${there}\n\n${nowhere}\n\n[e]: gone.md\n`);
  expect(brokenLinks(document)).toEqual([
    'lost.webp',
    'other.md#size-2',
    '#there',
    'lost.md#size',
    'gone.md',
  ]);
});
