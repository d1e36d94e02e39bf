import { expect, it } from '@jest/globals';
import { textDirection } from './text-direction.ts';

it.each([
  ['أنا شاعر من القاهرة', 'rtl'],
  ['"Night Songs" (2024)، شعر', 'ltr'],
  ['12$ שלום', 'rtl'],
  ['Письма', 'ltr'],
  ['2024 – 12$', undefined],
  ['', undefined],
] as const)('the direction of %j is %s', (text, direction) => {
  expect(textDirection(text)).toBe(direction);
});
