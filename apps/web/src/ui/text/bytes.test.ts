import { expect, test } from '@jest/globals';
import { bytesText } from './bytes.ts';

test.each([
  [999, '999 bytes'],
  [1000, '1.0 KB'],
  [120_000, '117 KB'],
  [1_048_576, '1.0 MB'],
  [209_715_200, '200 MB'],
  [1_073_741_824, '1.0 GB'],
])('%i is %s', (bytes, text) => expect(bytesText(bytes)).toBe(text));
