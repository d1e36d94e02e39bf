import { type Offering, PublicOffering, writtenFields } from '@stoa/contracts';
import { makeOffering } from '@stoa/testing';
import { expect, test } from '@jest/globals';
import { duplicatedFields, maxJsonBytes, reviewedContent } from './offering-fields.ts';

test('a duplicate copies the written fields, not the delivered content or the identity', () => {
  const made = Object.keys(duplicatedFields(makeOffering()));
  expect(made).toEqual(expect.arrayContaining([...writtenFields, 'type', 'coverImage']));
  const own: (keyof Offering)[] = ['id', 'creatorId', 'slug', 'state', 'version', 'takenDown'];
  const dates: (keyof Offering)[] = ['createdAt', 'publishedAt', 'updatedAt', 'schedule', 'seats'];
  const sold: (keyof Offering)[] = ['files', 'deliveryText', 'deliveryUrl', 'deliveryKey'];
  expect(made.filter((field) => [...own, ...dates, ...sold].includes(field as keyof Offering))).toEqual([]);
});

test('operators see every public field that a creator writes', () => {
  const shown = Object.keys(PublicOffering.shape).filter((field) =>
    (writtenFields as string[]).includes(field),
  );
  const filled = Object.fromEntries(shown.map((field) => [field, `the ${field}`])) as unknown as Offering;
  const seen = [filled.title, ...reviewedContent(filled, 'text'), ...reviewedContent(filled, 'link')];
  expect(shown).toEqual(expect.arrayContaining(['title', 'price', 'description', 'paymentUrl']));
  expect(seen.toSorted()).toEqual(shown.map((field) => `the ${field}`).toSorted());
});

test('operators see nested texts, and nested links separately', () => {
  const price = [{ amount: '€12', shopUrl: 'https://shop.example.com/' }] as unknown as string;
  const nested = makeOffering({ price, description: 'By hand.' });
  expect(reviewedContent(nested, 'text')).toEqual(['€12', 'By hand.']);
  expect(reviewedContent(nested, 'link')).toEqual(['https://shop.example.com/', nested.paymentUrl]);
});

const offering = {
  title: 'Letters',
  price: '€12',
  description: 'By hand.',
  paymentUrl: 'https://pay.example.com/',
} as PublicOffering;

test('operators see texts and links in the order of the page', () => {
  expect(reviewedContent(offering, 'text')).toEqual(['€12', 'By hand.']);
  expect(reviewedContent(offering, 'link')).toEqual(['https://pay.example.com/']);
});

test('the size limit of a list includes the texts of unknown fields', () => {
  const long = '\u672c'.repeat(5000);
  const fields = [{ title: long }, { schedule: { text: long } }, { questions: [{ answer: long }] }];
  for (const field of fields) {
    const item = { ...offering, ...field } as unknown as PublicOffering;
    expect(maxJsonBytes([item])).toBeGreaterThanOrEqual(Buffer.byteLength(JSON.stringify([item])));
  }
});
