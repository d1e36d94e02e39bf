import { contract, request } from '@stoa/contracts';
import type { Msg, MsgHdrs } from '@nats-io/transport-node';
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { documentsHeader, readDocuments, writeDocuments } from './documents.ts';
import { toHeaders } from './wire.ts';

const labels = ['name'];
const Person = z.object({ name: z.string(), bio: z.string().default('') });
const { find, list, newer } = contract('contact', {
  find: request({ labels, input: z.object({}), output: Person }),
  list: request({ labels, input: z.object({}), output: z.object({ items: z.array(Person) }) }),
  newer: request({
    labels,
    input: z.object({}),
    output: z.object({ items: z.array(Person.extend({ palette: z.string().default('paper') })) }),
  }),
});

const ama = { name: 'ama', bio: 'Écrit — 🌍' };
const kofi = { name: 'kofi', bio: '' };
const messageOf = (body: string, headers?: MsgHdrs) => {
  const data = Buffer.from(body);
  return { data, headers, json: () => JSON.parse(body) as unknown } as unknown as Msg;
};
const written = (output: unknown) => {
  const { body, headers } = writeDocuments(list, labels, output);
  return messageOf(body, headers);
};
const textsOf = (documents: readonly { labels: object; bytes: Uint8Array }[]) =>
  documents.map(({ labels: told, bytes }) => [told, Buffer.from(bytes).toString()]);

test('the documents of a list are the bytes that were written, each with its labels', () => {
  const answer = written({ items: [ama, kofi] });
  expect(JSON.parse(Buffer.from(answer.data).toString())).toEqual({ items: [ama, kofi] });
  expect(textsOf(readDocuments(list, answer))).toEqual([
    [{ name: 'ama' }, JSON.stringify(ama)],
    [{ name: 'kofi' }, JSON.stringify(kofi)],
  ]);
  expect(readDocuments(list, written({ items: [] }))).toEqual([]);
});

test('an answer that is no list is one document', () => {
  const { body, headers } = writeDocuments(find, labels, ama);
  expect(textsOf(readDocuments(find, messageOf(body, headers)))).toEqual([
    [{ name: 'ama' }, JSON.stringify(ama)],
  ]);
});

test('an answer that has more than its items is one document, also without labels', () => {
  const shelf = request({
    labels: [],
    input: z.object({}),
    output: z.object({ items: z.array(Person), first: z.string().nullable() }),
  });
  const { whole } = contract('contact', { whole: shelf });
  const output = { items: [ama, kofi], first: null };
  const { body, headers } = writeDocuments(whole, [], output);
  const bytes = JSON.stringify(output);
  for (const answer of [messageOf(body, headers), messageOf(body)])
    expect(textsOf(readDocuments(whole, answer))).toEqual([[{}, bytes]]);
});

test('a label may be made of the document, by who writes it as by who reads what another release wrote', () => {
  const length = {
    name: 'length',
    of: (document: unknown) => String((document as { bio: string }).bio.length),
  };
  const { measured } = contract('contact', {
    measured: request({ labels: ['name', length], input: z.object({}), output: Person }),
  });
  const { body, headers } = writeDocuments(measured, measured.labels ?? [], ama);
  const told = { name: 'ama', length: String(ama.bio.length) };
  for (const answer of [messageOf(body, headers), messageOf(body)])
    expect(textsOf(readDocuments(measured, answer))).toEqual([[told, JSON.stringify(ama)]]);
});

test.each([
  ['that says nothing of its documents', undefined],
  ['of another shape', written({ items: [kofi] }).headers],
])('an answer %s is read by the contract', (_, headers) => {
  const documents = readDocuments(newer, messageOf(JSON.stringify({ items: [{ name: 'kofi' }] }), headers));
  expect(textsOf(documents)).toEqual([
    [{ name: 'kofi' }, JSON.stringify({ name: 'kofi', bio: '', palette: 'paper' })],
  ]);
});

test('an envelope that does not fit its bytes is refused', () => {
  const { headers } = written({ items: [ama, kofi] });
  expect(() => readDocuments(list, messageOf('{"items":[]}', headers))).toThrow('another length');
  const odd = toHeaders({ [documentsHeader]: '{"shape":1}' });
  expect(() => readDocuments(list, messageOf('{"items":[]}', odd))).toThrow();
});
