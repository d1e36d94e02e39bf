import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import type { PublicCreator, PublicOffering } from '@stoa/contracts';
import { makePublicOffering } from '@stoa/testing';
import { amountOf, offeringHead } from './offering-head.ts';
import { renderHead } from './page-head.ts';

const uid = '4f9f4a56-8a5a-4a4e-9d5e-0f9f0c3f7a11';
const creator = { uid, username: 'ama', displayName: 'Ama', bio: '' } as PublicCreator;
const offering = makePublicOffering({
  ...{ id: uid, creatorId: uid, title: 'Twelve </script> letters', description: 'One a month.\n\nBy hand.' },
  coverImage: { id: uid, path: 'covers/a', widths: [320, 960], width: 960, height: 640, color: '#fff' },
  slug: 'twelve-letters',
});
const place = { creator, mediaUrl: 'https://media.example.test', site: 'https://stoa.example.test' };

it('has the structured data and the link preview of an offering', () => {
  const head = offeringHead(offering, place);
  const text = renderHead(head, place.site).text;
  const address = 'https://stoa.example.test/profile/ama/twelve-letters';
  expect(text).toContain('<title>Twelve &lt;/script&gt; letters by Ama · Stoa</title>');
  expect(text).toContain('<meta name="description" content="One a month. By hand." />');
  expect(text).toContain(`<link rel="canonical" href="${address}" />`);
  expect(text).toMatch(
    /<meta property="og:image" content="https:\/\/stoa\.example\.test\/api\/creators\/ama\/offerings\/twelve-letters\/card\.jpg\?v=[\w-]{12}" \/>/,
  );
  expect(text).toContain(
    '<meta property="og:image:alt" content="Twelve &lt;/script&gt; letters by Ama: R150" />',
  );
  const [, json = ''] = /<script type="application\/ld\+json">(.*)<\/script>/s.exec(text) ?? [];
  expect(JSON.parse(json)).toMatchObject({
    '@type': 'Product',
    name: offering.title,
    url: address,
    offers: { '@type': 'Offer', url: address, price: '150', priceCurrency: 'ZAR' },
  });
});

it('marks a sold-out offering SoldOut', () => {
  const head = offeringHead({ ...offering, state: 'sold_out' }, place);
  expect(head.facts).toMatchObject({ offers: { availability: 'https://schema.org/SoldOut' } });
});

const workshop: PublicOffering = {
  ...{ ...offering, type: 'Workshop' },
  schedule: {
    startsAt: '2030-07-03T22:30:00.000Z',
    endsAt: '2030-07-04T00:00:00.000Z',
    timeZone: 'America/St_Johns',
    ended: false,
    text: '',
  },
};

it('gives the date of a workshop in UTC when this runtime does not know its time zone', () => {
  const schedule = { ...workshop.schedule!, timeZone: 'Europe/New_Atlantis' };
  expect(offeringHead({ ...workshop, schedule }, place).facts).toMatchObject({
    startDate: expect.stringMatching(/^2030-07-03T22:30:00(Z|[+]00:00)$/),
  });
});

it('describes a workshop with a date as an event without a location [gateway-8]', () => {
  const { facts } = offeringHead(workshop, place);
  expect(facts).toMatchObject({
    '@type': 'Event',
    startDate: '2030-07-03T20:00:00-02:30',
    endDate: '2030-07-03T21:30:00-02:30',
    organizer: { '@type': 'Person', name: 'Ama' },
    offers: { availability: 'https://schema.org/InStock' },
  });
  expect(facts).not.toHaveProperty('location');
  expect(offeringHead({ ...workshop, state: 'sold_out' }, place).facts).toMatchObject({
    offers: { availability: 'https://schema.org/SoldOut' },
  });
});

it.each(['published', 'sold_out'] as const)(
  'marks an ended workshop Discontinued in the state %s',
  (state) => {
    const schedule = { ...workshop.schedule!, endsAt: null, ended: true };
    const { facts } = offeringHead({ ...workshop, state, schedule }, place);
    expect(facts).toMatchObject({
      '@type': 'Event',
      startDate: '2030-07-03T20:00:00-02:30',
      offers: { availability: 'https://schema.org/Discontinued' },
    });
    expect(facts).not.toHaveProperty('endDate');
  },
);

it.each([
  ['R150', '150', 'ZAR'],
  ['R 1,500.00', '1500.00', 'ZAR'],
  ['$12', '12', 'USD'],
  ['US$12.50', '12.50', 'USD'],
  ['€ 1 200', '1200', 'EUR'],
  ['12 EUR', '12', 'EUR'],
  ['20£', '20', 'GBP'],
])('reads the price %s as %s %s', (words, price, priceCurrency) => {
  expect(amountOf(words)).toEqual({ price, priceCurrency });
});

it.each(['from $20', 'Pay what you can', 'R150 / month', '150', '€1.500', '$1,50', 'R150-R300', 'Free', ''])(
  'reads no amount from %s',
  (words) => {
    expect(amountOf(words)).toEqual({});
  },
);

it.each(
  (
    JSON.parse(
      readFileSync(new URL('../../../../libs/contracts/cases/descriptions.json', import.meta.url), 'utf8'),
    ) as {
      cases: { in: string; text?: string }[];
    }
  ).cases,
)('describes $in without formatting, on one line [gateway-9]', ({ in: description, text }) => {
  const head = offeringHead({ ...offering, description }, place);
  const line = (text ?? description).replace(/\s+/g, ' ');
  expect(head.description).toBe(line);
  expect(head.facts).toMatchObject({ description: line });
});
