import type { DeliveredFile, StoredFile } from '@stoa/contracts';
import { describe, expect, test } from '@jest/globals';
import { changedFiles, keepUnread, readFiles, unreadFiles } from './delivered-files.ts';

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
const [a, b, c] = [delivered('a'), delivered('b'), delivered('c')];

describe('the files of a row', () => {
  test.each([
    ['of before there were several', { file: stored('a'), files: null }, [a]],
    ['without any', { file: null, files: null }, []],
    ['of this release', { file: stored('a'), files: [a, b] }, [a, b]],
    ['whose first was replaced by the release before', { file: stored('c'), files: [a, b] }, [c, b]],
    ['whose first was removed by the release before', { file: null, files: [a, b] }, [b]],
    ['whose only one was removed by the release before', { file: null, files: [a] }, []],
    ['with one that cannot be read', { file: stored('a'), files: [a, { id: 7 }, b] }, [a, b]],
    ['whose first cannot be read', { file: stored('c'), files: [{ id: c.id }, a, b] }, [c, a, b]],
  ])('%s', (_, row, files) => expect(readFiles(row)).toEqual(files));
});

describe('what a newer release has put there', () => {
  const [odd, nameless] = [{ id: stored('e').id, parts: 2 }, { streamed: true }];
  const row = { file: stored('a'), files: [a, odd, b, nameless] };
  const rewritten = (files: DeliveredFile[]) => keepUnread(files, readFiles(row), row);

  test('is kept beside what a form says', () => {
    expect(rewritten([b, a])).toEqual([b, a, odd, nameless]);
    expect(rewritten([])).toEqual([odd, nameless]);
    expect(unreadFiles(row).map(({ id }) => id)).toEqual([odd.id, null]);
  });

  test('is kept as it is where its first file is what this release reads of it', () => {
    const first = { id: a.id, parts: 2 };
    const known = { file: stored('a'), files: [first, b] };
    expect(readFiles(known)).toEqual([a, b]);
    expect(keepUnread([b, a], readFiles(known), known)).toEqual([b, first]);
    expect(keepUnread([b], readFiles(known), known)).toEqual([b]);
  });
});

describe('a change', () => {
  test('puts files into an order, and keeps their notes and dates unless told', () => {
    const noted = delivered('a', { note: 'Fixed page 12', updatedAt: '2026-01-01T00:00:00.000Z' });
    const order = [{ file: stored('b') }, { file: stored('a') }];
    expect(changedFiles([noted, b], { files: order }, now)).toEqual([b, noted]);
    const [said] = changedFiles([noted], { files: [{ file: stored('a'), note: '' }] }, now) ?? [];
    expect(said).toEqual({ ...noted, note: '' });
  });

  test('dates a version that takes the place of another, not a file of its own', () => {
    const version = { file: stored('c'), replaces: a.id, note: 'Fixed page 12' };
    const more = { file: stored('d'), replaces: stored('e').id };
    expect(changedFiles([a, b], { files: [version, { file: stored('b') }, more] }, now)).toEqual([
      delivered('c', { note: 'Fixed page 12', updatedAt: now.toISOString() }),
      b,
      delivered('d'),
    ]);
  });

  test('by a form that knows one file is one of the first', () => {
    const dated = delivered('c', { updatedAt: now.toISOString() });
    expect(changedFiles([a, b], { file: stored('c') }, now)).toEqual([dated, b]);
    expect(changedFiles([a, b], { file: null }, now)).toEqual([b]);
    expect(changedFiles([a, b], {}, now)).toBeUndefined();
    expect(changedFiles([a, b], { file: stored('b') }, now)).toEqual([b]);
    expect(changedFiles([], { file: stored('a') }, now)).toEqual([a]);
  });
});
