import type { Caller, Offering } from '@stoa/contracts';
import { Call } from '@stoa/messaging';
import { describe, expect, jest, test } from '@jest/globals';
import type { OfferingsConfig } from '../offerings.config.ts';
import type { OfferingsRepository } from './offerings.repository.ts';
import type { ProfileTakedowns } from './profile-takedowns.repository.ts';
import type { PublicOfferingsRepository } from '../public/public-offerings.repository.ts';
import type { SalesService } from '../sales/sales.service.ts';
import { OfferingsService } from './offerings.service.ts';

const owner = { uid: 'owner' } as Caller;
const stranger = { uid: 'stranger' } as Caller;
const byOwner = new Call(owner);
const byStranger = new Call(stranger);
const offering = {
  id: 'o1',
  creatorId: 'owner',
  title: 'Letters',
  type: 'eBook',
  state: 'published',
  files: [] as Offering['files'],
  deliveryText: '',
  deliveryUrl: null as string | null,
  sharedLink: true,
} as Offering;
const file = { id: 'f1', filename: 'letters.pdf', size: 9, contentType: 'application/pdf' };

function serviceOver(stored: Offering | null, allowsPrivateLinks = false) {
  const repository = {
    find: jest.fn(async () => stored),
    insert: jest.fn(async () => 'full' as const),
    update: jest.fn(async () => stored),
    isDone: jest.fn(async () => false),
    remove: jest.fn(async (_named: unknown, _requestId?: string) => undefined),
    replaceKey: jest.fn(async () => stored),
    reorder: jest.fn(async (): Promise<'unknown' | 'stale'> => 'stale'),
  };
  const config = { ALLOW_PRIVATE_LINKS: allowsPrivateLinks } as OfferingsConfig;
  const visible = {} as PublicOfferingsRepository;
  const takedowns = { isHidden: async () => false } as unknown as ProfileTakedowns;
  const sales = { use: async () => false } as unknown as SalesService;
  const service = new OfferingsService(
    repository as unknown as OfferingsRepository,
    visible,
    // No test of this file uses payees.
    undefined as never,
    takedowns,
    sales,
    config,
  );
  return { repository, service };
}

describe('all files together', () => {
  const big = (id: string) => ({ ...file, id, size: 200 * 1024 * 1024, note: '', updatedAt: null });
  const five = ['a', 'b', 'c', 'd', 'e'].map(big);
  const form = { id: 'o1', type: 'eBook', paymentUrl: 'https://pay.example.com/' };

  const choose = (...files: object[]) => ({ ...form, files: files.map((each) => ({ file: each })) }) as never;

  test('are 1 GB at most', async () => {
    const { repository, service } = serviceOver({ ...offering, files: five });
    await expect(service.update(choose(...five, big('f')), byOwner)).rejects.toMatchObject({
      fields: [{ field: 'files', message: 'All files together must not be larger than 1GB.' }],
    });
    expect(repository.update).not.toHaveBeenCalled();
  });

  test('may keep their total size when one replaces another', async () => {
    const { repository, service } = serviceOver({ ...offering, files: five });
    await service.update(choose(big('f'), ...five.slice(1)), byOwner);
    expect(repository.update).toHaveBeenCalled();
  });
});

describe('authorization comes first', () => {
  test('a stranger cannot rotate the key', async () => {
    const { repository, service } = serviceOver(offering);
    await expect(service.rotateKey('o1', byStranger)).rejects.toMatchObject({ code: 'forbidden' });
    expect(repository.replaceKey).not.toHaveBeenCalled();
  });

  test.each(['update', 'remove'] as const)(
    '%s by a stranger is forbidden and writes nothing',
    async (operation) => {
      const { repository, service } = serviceOver(offering);
      const attempt =
        operation === 'update'
          ? service.update({ id: 'o1' } as never, byStranger)
          : service.remove('o1', byStranger);
      await expect(attempt).rejects.toMatchObject({ code: 'forbidden' });
      expect(repository[operation]).not.toHaveBeenCalled();
    },
  );

  test('a duplicate by a stranger is forbidden and stores nothing', async () => {
    const { repository, service } = serviceOver(offering);
    await expect(service.duplicate('o1', 'o2', stranger)).rejects.toMatchObject({ code: 'forbidden' });
    expect(repository.insert).not.toHaveBeenCalled();
  });

  test('the owner can remove', async () => {
    const { repository, service } = serviceOver(offering);
    await service.remove('o1', new Call(owner, 'r1'));
    expect(repository.remove).toHaveBeenCalledWith(expect.objectContaining({ id: 'o1' }), 'r1');
  });
});

test('an offering removed during an edit is not_found', async () => {
  const { repository, service } = serviceOver(offering);
  repository.update.mockResolvedValueOnce(null);
  await expect(service.update({ id: 'o1' } as never, byOwner)).rejects.toMatchObject({ code: 'not_found' });
});

test('creating over the limit of offerings is limit_reached', async () => {
  const { service } = serviceOver(null);
  const refusal = { code: 'limit_reached', message: 'A creator can list at most 100 offerings.' };
  await expect(service.create({} as never, owner)).rejects.toMatchObject(refusal);
});

describe('an offering without a cover', () => {
  const refused = { code: 'invalid_input', fields: [{ field: 'coverImageId' }] };
  const edit = (stored: object, changes: object) =>
    serviceOver({ ...offering, ...stored } as Offering).service.update(
      { id: 'o1', ...changes } as never,
      byOwner,
    );

  test.each(['published', 'sold_out'])('cannot be made %s', async (state) => {
    await expect(edit({ state: 'draft' }, { state })).rejects.toMatchObject(refused);
  });

  test('can be published with a new cover, edited while not public, and kept public', async () => {
    const coverImage = { id: 'p' };
    const edits = [
      edit({ state: 'draft' }, { state: 'published', coverImage }),
      edit({ state: 'draft', coverImage }, { state: 'published' }),
      edit({ state: 'draft' }, { state: 'hidden' }),
      edit({ state: 'published' }, { state: 'sold_out' }),
    ];
    await expect(Promise.all(edits)).resolves.toHaveLength(4);
  });
});

describe('the refusal of an order', () => {
  test.each([
    ['unknown', 'conflict'],
    ['stale', 'precondition_failed'],
  ] as const)('%s is %s', async (answer, code) => {
    const { repository, service } = serviceOver(null);
    repository.reorder.mockResolvedValueOnce(answer);
    await expect(service.reorder({ ids: [], pinnedId: null }, byOwner)).rejects.toMatchObject({ code });
  });
});

describe('what an offering delivers', () => {
  const deliveryKey = 'k'.repeat(32);
  const at = { creatorId: 'owner', id: 'o1' };
  const files = [{ ...file, note: '', updatedAt: null }];
  const ask = (input: { key?: string; creatorId?: string }, caller: Caller | null, stored = files) =>
    serviceOver({ ...offering, files: stored, deliveryKey }).service.download({ ...at, ...input }, caller);

  test('the file with the key, signed in or not', async () => {
    for (const caller of [null, stranger, owner]) {
      expect(await ask({ key: deliveryKey }, caller)).toMatchObject({ files, keyNeeded: false });
    }
  });

  test('the file to its owner without a key', async () => {
    expect(await ask({}, owner)).toMatchObject({ title: 'Letters', files, keyNeeded: false });
  });

  test('the page without the file to other signed-in callers', async () => {
    expect(await ask({}, stranger)).toEqual({
      title: 'Letters',
      type: 'eBook',
      files: [],
      deliveryText: '',
      deliveryUrl: null,
      keyNeeded: true,
    });
  });

  test('an offering without a file needs no key', async () => {
    expect(await ask({}, stranger, [])).toMatchObject({ files: [], keyNeeded: false });
  });

  test.each(['wrong', '', `${deliveryKey}x`])(
    'a wrong key (%j) is not_found, even to the owner',
    async (key) => {
      for (const caller of [null, stranger, owner]) {
        await expect(ask({ key }, caller)).rejects.toMatchObject({ code: 'not_found' });
      }
    },
  );

  test('the right key under another creator is not_found', async () => {
    const elsewhere = ask({ key: deliveryKey, creatorId: 'stranger' }, null);
    await expect(elsewhere).rejects.toMatchObject({ code: 'not_found' });
  });

  test('a visitor without a key is unauthenticated', async () => {
    await expect(ask({}, null)).rejects.toMatchObject({ code: 'unauthenticated' });
  });
});

describe('a link to a private host', () => {
  const inside = { paymentUrl: 'http://127.0.0.1/pay', productUrl: 'http://nas.local/' };
  const refused = { code: 'invalid_input', fields: [{ field: 'paymentUrl' }, { field: 'productUrl' }] };

  test('is refused in a new offering and in an edit (SSRF)', async () => {
    const { repository, service } = serviceOver(offering);
    await expect(service.create(inside as never, owner)).rejects.toMatchObject(refused);
    await expect(service.update({ id: 'o1', ...inside } as never, byOwner)).rejects.toMatchObject(refused);
    expect(repository.insert).not.toHaveBeenCalled();
    expect(repository.update).not.toHaveBeenCalled();
  });

  test('is accepted in development', async () => {
    const { service } = serviceOver(offering, true);
    await expect(service.update({ id: 'o1', ...inside } as never, byOwner)).resolves.toBe(offering);
  });
});
