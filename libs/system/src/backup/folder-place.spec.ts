import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, expect, it } from '@jest/globals';
import { folderPlace } from './folder-place.ts';

const folder = mkdtempSync(join(tmpdir(), 'stoa-place-'));
const place = folderPlace(folder);

afterAll(() => rmSync(folder, { recursive: true }));

it('a missing file, or a path below a file, does not exist', async () => {
  await place.write('one/file', Readable.from(['content']));
  const files = ['one/file', 'one/other', 'other/file', 'one/file/below'];
  expect(await Promise.all(files.map(place.has))).toEqual([true, false, false, false]);
  expect([await place.list('one'), await place.list('other')]).toEqual([['file'], []]);
});

it('an unreadable file is an error, since "missing" would allow removals', async () => {
  // A symbolic link to itself causes an error other than a missing file, like an unavailable volume.
  symlinkSync('loop', join(folder, 'loop'));
  await expect(place.has('loop/file')).rejects.toThrow('ELOOP');
  await expect(place.list('loop')).rejects.toThrow('ELOOP');
  await place.write('file', Readable.from(['content']));
  await expect(place.list('file')).rejects.toThrow('ENOTDIR');
});
