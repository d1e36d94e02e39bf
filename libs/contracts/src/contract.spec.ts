import { expect, test } from '@jest/globals';
import * as contracts from './index.ts';

const { contact, creators, identity, media, offerings } = contracts;
const all = { contact, creators, identity, media, offerings };

test('subjects follow from service and name, requests and events under separate roots', () => {
  for (const [service, operations] of Object.entries(all)) {
    for (const [name, operation] of Object.entries(operations)) {
      const root = operation.kind === 'request' ? 'rpc' : 'events';
      expect(operation).toMatchObject({ service, name, subject: `${root}.${service}.${name}` });
    }
  }
});
