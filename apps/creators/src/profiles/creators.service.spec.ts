import type { Caller, Creator, ProfileChanges } from '@stoa/contracts';
import { Call } from '@stoa/messaging';
import { expect, jest, test } from '@jest/globals';
import type { CreatorsConfig } from '../creators.config.ts';
import type { CreatorsRepository } from './creators.repository.ts';
import type { PublicCreatorsRepository } from '../directory/public-creators.repository.ts';
import { CreatorsService } from './creators.service.ts';

const caller: Caller = {
  uid: '4f9f4a56-8a5a-4a4e-9d5e-0f9f0c3f7a11',
  username: 'Ama_Writes',
  email: 'Ama@Example.Test',
  sid: 'a session',
  emailVerified: false,
  displayName: ' Ama ',
  termsAcceptedAt: null,
  tokenIssuedAt: '2026-01-01T00:00:00.000Z',
  isOperator: false,
};

/** The tests of this file do not use these four dependencies. */
const unused = Array<never>(4) as [never, never, never, never];

function serviceOver(
  repository: Partial<Record<keyof CreatorsRepository, unknown>>,
  reads: Partial<Record<keyof PublicCreatorsRepository, unknown>> = {},
) {
  return new CreatorsService(
    { isPublic: () => true, ...repository } as unknown as CreatorsRepository,
    reads as unknown as PublicCreatorsRepository,
    ...unused,
    { ALLOW_PRIVATE_LINKS: false } as CreatorsConfig,
  );
}

test('names and addresses are stored in lower case', async () => {
  const open = jest.fn(async (_creator: unknown, _requestId?: string) => ({ isNew: true }));
  await serviceOver({ open }).open(new Call(caller, 'r1'));
  expect(open).toHaveBeenCalledWith(
    {
      uid: caller.uid,
      username: 'ama_writes',
      email: 'ama@example.test',
      emailVerified: false,
      claimsIssuedAt: caller.tokenIssuedAt,
      displayName: 'Ama',
    },
    'r1',
  );
});

test('a reserved username is refused to a new account and kept by an existing one', async () => {
  const open = jest.fn(async (creator: unknown) => ({ creator, isNew: false }));
  const reserved = new Call({ ...caller, username: 'Admin' });
  const attempt = serviceOver({ open, find: async () => null }).open(reserved);
  await expect(attempt).rejects.toMatchObject({ code: 'invalid_input' });
  expect(open).not.toHaveBeenCalled();
  const find = jest.fn(async (_by: unknown) => ({}) as Creator);
  await expect(serviceOver({ open, find, isDone: async () => false }).open(reserved)).resolves.toMatchObject({
    creator: { username: 'admin' },
  });
  expect(find).toHaveBeenCalledWith({ uid: caller.uid });
});

test('a card truncates the bio to 75 characters', async () => {
  const browse = async () => ({ items: [{ bio: 'é'.repeat(80) }], total: 1, nextCursor: null });
  const page = await serviceOver({}, { browse }).browse({ limit: 1 });
  expect(page.items[0]?.bioPreview).toBe('é'.repeat(75));
});

test('an unknown creator is not_found', async () => {
  const attempt = serviceOver({}, { findMany: async () => [] }).find('nobody');
  await expect(attempt).rejects.toMatchObject({ code: 'not_found', message: 'Creator not found.' });
});

test('a link to a private host is refused at its field (SSRF)', async () => {
  const update = jest.fn();
  const changes = {
    paygates: [
      { name: 'Tips', url: 'https://tips.example.com/' },
      { name: 'Metadata', url: 'http://169.254.169.254/' },
    ],
  } as unknown as ProfileChanges;
  await expect(serviceOver({ update }).update(changes, new Call(caller))).rejects.toMatchObject({
    code: 'invalid_input',
    fields: [{ field: 'paygates.1.url' }],
  });
  expect(update).not.toHaveBeenCalled();
});
