import { expect, test } from '@jest/globals';
import { z } from 'zod';
import * as contracts from './index.ts';

// Walks the schemas for all text fields of writing requests. A new field that keeps invisible characters fails here.

const { contact, creators, identity, media, offerings } = contracts;
const requests = [contact, creators, identity, media, offerings]
  .flatMap((service) => Object.values(service))
  .filter((operation) => operation.kind === 'request')
  .filter(({ semantics }) => semantics !== 'safe');

/** Fields whose texts need no normalization, each with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  'contact.send.sender': 'the network address, as the gateway saw it',
  'contact.relay.sender': 'the network address, as the gateway saw it',
  'contact.relay.to.email': 'read from creators by the gateway',
  'contact.relay.to.displayName': 'read from creators by the gateway',
  'identity.open.userAgent': 'only the names of a closed list of browsers and systems are kept',
  'identity.open.profile.displayName': 'read from creators by the gateway',
  'creators.update.profileImage.path': 'made by media',
  'creators.update.headerImage.path': 'made by media',
  'creators.report.offering.slug': 'read from offerings by the gateway',
  'creators.report.offering.title': 'read from offerings by the gateway',
  'media.grant.filename': 'made valid for all file systems by media',
  'media.grant.contentType': 'compared with a closed list, or served as bytes',
  'media.drawCard.username': 'read from creators by the gateway',
  'media.drawCard.name': 'read from creators by the gateway',
  'media.drawCard.text': 'read from creators by the gateway',
  'media.drawCard.offering.title': 'read from offerings by the gateway',
  'media.drawCard.offering.type': 'read from offerings by the gateway',
  'media.drawCard.offering.price': 'read from offerings by the gateway',
  'offerings.create.coverImage.path': 'made by media',
  'offerings.update.coverImage.path': 'made by media',
  ...Object.fromEntries(
    ['create', 'update'].flatMap((name) =>
      ['filename', 'contentType'].map((field) => [`offerings.${name}.files.file.${field}`, 'made by media']),
    ),
  ),
};

interface Leaf {
  readonly path: string;
  readonly schema: z.ZodType;
}

/** All text schemas inside a schema, with their checks. */
function textsIn(schema: z.ZodType, path: string): Leaf[] {
  const { def } = schema as z.ZodType & { def: { type: string } };
  if (schema instanceof z.ZodObject) {
    return Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([name, field]) =>
      textsIn(field, `${path}.${name}`),
    );
  }
  if (schema instanceof z.ZodArray) return textsIn(schema.element as z.ZodType, path);
  if (schema instanceof z.ZodUnion)
    return schema.options.flatMap((option) => textsIn(option as z.ZodType, path));
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodCatch
  ) {
    return textsIn(schema.unwrap() as z.ZodType, path);
  }
  if (schema instanceof z.ZodPipe) return textsIn(schema.in as z.ZodType, path);
  const known = ['string', 'number', 'int', 'boolean', 'enum', 'literal', 'json', 'lazy', 'null', 'record'];
  expect({ path, type: def.type, isKnown: known.includes(def.type) }).toMatchObject({ isKnown: true });
  return def.type === 'string' ? [{ path, schema }] : [];
}

const hidden = '\u00ad\u200b\ufeff\ue000';
const probesWith = (unseen: string) => [
  `a${unseen}b`,
  `a${unseen}b@example.com`,
  `https://example.com/a${unseen}b`,
  ...['youtube', 'tiktok', 'instagram'].map((name) => `https://www.${name}.com/a${unseen}b`),
];
const takenBy = (schema: z.ZodType, unseen: string) =>
  probesWith(unseen).flatMap((probe) => {
    const { success, data } = schema.safeParse(probe);
    return success ? [data as string] : [];
  });

const leaves = requests.flatMap((request) => textsIn(request.input, `${request.service}.${request.name}`));
// Checks only texts for people: ids, times and other machine-readable strings refuse such text, and also any
// additional letter.
const texts = leaves.filter(({ path, schema }) => !(path in exceptions) && takenBy(schema, '').length > 0);

test.each(texts)('$path normalizes its text [contracts-13]', ({ schema }) => {
  const taken = takenBy(schema, hidden);
  expect(taken).toHaveLength(takenBy(schema, '').length);
  expect(taken.filter((kept) => !kept.includes('ab') || contracts.plainText(kept) !== kept)).toEqual([]);
  // The message names a character that cannot be stored, at any position.
  const { error } = schema.safeParse('a\u0000b');
  expect(error?.issues[0]?.message).toBeTruthy();
});

test('the walk finds the known texts, and all exceptions are in use [contracts-14]', () => {
  const found = texts.map(({ path }) => path);
  expect(found).toEqual(
    expect.arrayContaining([
      ...[
        'displayName',
        'bio',
        'paygates.name',
        'paygates.url',
        'socialLinks.youtube',
        'links.label',
        'links.url',
      ].map((field) => `creators.update.${field}`),
      ...[
        'title',
        'description',
        'price',
        'paymentUrl',
        'productUrl',
        'deliveryText',
        'deliveryUrl',
        'files.note',
      ].map((field) => `offerings.create.${field}`),
      ...['name', 'email', 'subject', 'message'].flatMap((field) => [
        `contact.send.${field}`,
        `contact.relay.${field}`,
      ]),
      ...['creators.report.text', 'creators.appeal.text', 'creators.decide.text'],
    ]),
  );
  const all = new Set(leaves.map(({ path }) => path));
  expect(Object.keys(exceptions).filter((path) => !all.has(path))).toEqual([]);
});
