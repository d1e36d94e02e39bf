import { expect, it } from '@jest/globals';
import { smtpServer } from './realm.ts';

it.each([
  ['no-reply@stoa.test', 'Stoa'],
  ['Letters <no-reply@stoa.test>', 'Letters'],
])(
  'mail of Keycloak that is set to be from %s has an address and the name %s [realm-8]',
  (from, fromDisplayName) => {
    expect(smtpServer({ host: 'mail.test', port: 25, from })).toMatchObject({
      ...{ from: 'no-reply@stoa.test', fromDisplayName },
    });
  },
);
