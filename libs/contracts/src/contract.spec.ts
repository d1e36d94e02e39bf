import { expect, test } from '@jest/globals';
import { z } from 'zod';
import * as contracts from './index.ts';

const { contact, contract, creators, event, identity, media, offerings, request } = contracts;
const services = { contact, creators, identity, media, offerings };

test('requests and events get subjects under separate roots', () => {
  const empty = z.object({});
  const letters = contract('letters', {
    write: request({ input: empty, output: empty }),
    written: event(empty),
  });
  expect(letters.write).toMatchObject({ service: 'letters', name: 'write', subject: 'rpc.letters.write' });
  expect(letters.written).toMatchObject({
    service: 'letters',
    name: 'written',
    subject: 'events.letters.written',
  });
});

test('each subject of a service contains its name', () => {
  for (const [name, operations] of Object.entries(services))
    expect(Object.values(operations).map(({ service }) => service)).toEqual(
      Object.keys(operations).map(() => name),
    );
});

test('subjects are stable between releases', () => {
  expect([identity.open.subject, offerings.published.subject, media.complete.subject]).toEqual([
    'rpc.identity.open',
    'events.offerings.published',
    'rpc.media.complete',
  ]);
});
