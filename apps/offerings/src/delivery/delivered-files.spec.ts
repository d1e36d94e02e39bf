import type { DeliveredFile, StoredFile } from '@stoa/contracts';
import { describe, expect, test } from '@jest/globals';
import { applyFileChanges, readFiles, unreadableFiles, withUnreadableFiles } from './delivered-files.ts';

const now = new Date('2026-11-24T10:00:00.000Z');
const stored = (name: string): StoredFile => ({
  id: `00000000-0000-4000-8000-00000000000${name}`,
  filename: `${name}.pdf`,
  size: 9,
  contentType: 'application/pdf',
});
const delivered = (name: string, changes: Partial<DeliveredFile> = {}): DeliveredFile => ({
  ...stored(name),
  note: '',
  updatedAt: null,
  ...changes,
});
const [a, b] = [delivered('a'), delivered('b')];

describe('the files of a row', () => {
  test.each([
    ['without any', [], []],
    ['in their order', [a, b], [a, b]],
    ['with one that cannot be read', [a, { id: 7 }, b], [a, b]],
  ])('%s', (_, row, files) => expect(readFiles(row)).toEqual(files));
});

describe('entries of a newer release', () => {
  const [newer, nameless] = [{ id: stored('e').id, parts: 2 }, { streamed: true }];
  const row = [a, newer, b, nameless];

  test('are kept after the files of a form', () => {
    expect(withUnreadableFiles([b, a], row)).toEqual([b, a, newer, nameless]);
    expect(withUnreadableFiles([], row)).toEqual([newer, nameless]);
    expect(unreadableFiles(row).map(({ id }) => id)).toEqual([newer.id, null]);
  });

  test('are replaced by a file with the same id', () => {
    expect(withUnreadableFiles([delivered('e')], row)).toEqual([delivered('e'), nameless]);
  });
});

describe('a change', () => {
  test('reorders files, and keeps notes and dates that it does not mention', () => {
    const noted = delivered('a', { note: 'Fixed page 12', updatedAt: '2026-01-01T00:00:00.000Z' });
    const order = [{ file: stored('b') }, { file: stored('a') }];
    expect(applyFileChanges([noted, b], order, now)).toEqual([b, noted]);
    const [changed] = applyFileChanges([noted], [{ file: stored('a'), note: '' }], now);
    expect(changed).toEqual({ ...noted, note: '' });
  });

  test('dates a file that replaces another, but not a new file', () => {
    const version = { file: stored('c'), replaces: a.id, note: 'Fixed page 12' };
    const more = { file: stored('d'), replaces: stored('e').id };
    expect(applyFileChanges([a, b], [version, { file: stored('b') }, more], now)).toEqual([
      delivered('c', { note: 'Fixed page 12', updatedAt: now.toISOString() }),
      b,
      delivered('d'),
    ]);
  });
});
