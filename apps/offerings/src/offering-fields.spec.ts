import { Offering, PublicOffering } from '@stoa/contracts';
import { expect, test } from '@jest/globals';
import { duplicated, mostBytes, notDuplicated, reviewed, reviewedAs } from './offering-fields.ts';

const sorted = (...records: object[]) => records.flatMap((record) => Object.keys(record)).toSorted();

test('each field of an offering is duplicated or not', () => {
  expect(sorted(duplicated, notDuplicated)).toEqual(sorted(Offering.shape));
});

test('of each field that visitors see it is decided how operators see it', () => {
  expect(sorted(reviewed)).toEqual(sorted(PublicOffering.shape));
});

const offering = {
  title: 'Letters',
  price: '€12',
  description: 'By hand.',
  paymentUrl: 'https://pay.example.com/',
} as PublicOffering;

test('operators see texts and links in the order of the page', () => {
  expect(reviewedAs(offering, 'text')).toEqual(['€12', 'By hand.']);
  expect(reviewedAs(offering, 'link')).toEqual(['https://pay.example.com/']);
});

test('the size of a list counts every text of it, also one in a field that is not there yet', () => {
  const long = '\u672c'.repeat(5000);
  const fields = [{ title: long }, { schedule: { text: long } }, { questions: [{ answer: long }] }];
  for (const field of fields) {
    const item = { ...offering, ...field } as unknown as PublicOffering;
    expect(mostBytes([item])).toBeGreaterThanOrEqual(Buffer.byteLength(JSON.stringify([item])));
  }
});
