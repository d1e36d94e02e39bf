import { expect, it } from '@jest/globals';
import { byteRange, rangeHeaders } from './byte-range.ts';

it.each([
  ['bytes=0-3', 'bytes=0-3'],
  ['bytes=3-3', 'bytes=3-3'],
  ['Bytes=2-', 'bytes=2-'],
  ['bytes=-4', 'bytes=-4'],
  ['bytes=007-0010', 'bytes=7-10'],
  ['bytes=0-3,', 'bytes=0-3'],
  ['bytes=, 0-3 ,', 'bytes=0-3'],
  ['bytes=-0', 'bytes=1000000000000000-'],
  ['bytes=-000', 'bytes=1000000000000000-'],
  [`bytes=0-${'9'.repeat(400)}`, 'bytes=0-1000000000000000'],
  [`bytes=${'9'.repeat(30)}-`, 'bytes=1000000000000000-'],
  [`bytes=-${'9'.repeat(30)}`, 'bytes=-1000000000000000'],
])('normalizes the range %j to %j', (header, part) => expect(byteRange(header)).toBe(part));

it.each([
  undefined,
  '',
  'bytes',
  'bytes=',
  'bytes=-',
  'bytes=,',
  'bytes=--1',
  'bytes=9-0',
  `bytes=${'9'.repeat(31)}-${'9'.repeat(30)}`,
  'bytes=0-1,3-4',
  'bytes=0-1, -1',
  'bytes=0-1, bytes=3-4',
  'bytes= 0-3',
  'bytes =0-3',
  'bytes=0 - 3',
  'bytes=+0-3',
  'bytes=0x0-3',
  'bytes=0-3;x',
  'bytes=a-b',
  'bytes=1.5-3',
  'bytes:0-3',
  'lines=1-2',
  'none',
])('requests the whole object for %j', (header) => expect(byteRange(header)).toBeUndefined());

it.each([
  [{ range: 'bytes=1-' }, { range: 'bytes=1-' }],
  [
    { range: 'bytes=1-', 'if-range': '"a"' },
    { range: 'bytes=1-', 'if-match': '"a"' },
  ],
  [{ range: 'bytes=9-0', 'if-range': '"a"' }, undefined],
  [{ range: 'bytes=1-', 'if-range': 'W/"a"' }, undefined],
  [{ range: 'bytes=1-', 'if-range': '"a", "b"' }, undefined],
  [{ range: 'bytes=1-', 'if-range': '"a"', 'if-none-match': '"b"' }, undefined],
])('%j becomes %j', (headers, part) => expect(rangeHeaders(headers)).toEqual(part));
