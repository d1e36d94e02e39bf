import { limits, NewOfferingForm } from '@stoa/contracts';
import { expect, it } from '@jest/globals';
import { duplicateTitle } from './duplicate-title.ts';

it.each([
  ['Letters', 'Letters (copy)'],
  ['Letters (copy)', 'Letters (copy) (copy)'],
  ['رسائل', 'رسائل (copy)'],
])('the duplicate of %j is called %j', (title, duplicate) => {
  expect(duplicateTitle(title)).toBe(duplicate);
});

it.each(['x', '👩‍🎨', 'ä'])('the longest title of %j gives a valid title', (letter) => {
  const title = duplicateTitle(letter.repeat(limits.titleLength));
  expect(NewOfferingForm.shape.title.parse(title)).toBe(title);
  expect(title.endsWith(`${letter} (copy)`)).toBe(true);
});
