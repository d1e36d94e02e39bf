import { type Caller, type Offering } from '@stoa/contracts';
import { describe, expect, test, vi } from 'vitest';
import type { OfferingsRepository } from './offerings.repository.ts';
import { OfferingsService } from './offerings.service.ts';

const owner = { uid: 'owner' } as Caller;
const stranger = { uid: 'stranger' } as Caller;
const offering = { id: 'o1', creatorId: 'owner', title: 'Letters', type: 'eBook' } as Offering;

function serviceOver(stored: Offering | null) {
  const repository = {
    find: vi.fn(async () => stored),
    insert: vi.fn(async () => stored),
    update: vi.fn(async () => stored),
    remove: vi.fn(async () => undefined),
  };
  return { repository, service: new OfferingsService(repository as unknown as OfferingsRepository) };
}

describe('access comes before work', () => {
  test.for(['update', 'remove'] as const)('%s by a stranger writes nothing', async (operation) => {
    const { repository, service } = serviceOver(offering);
    const attempt =
      operation === 'update'
        ? service.update({ id: 'o1' } as never, stranger)
        : service.remove('o1', stranger);
    await expect(attempt).rejects.toMatchObject({ code: 'forbidden' });
    expect(repository[operation]).not.toHaveBeenCalled();
  });

  test('the owner removes', async () => {
    const { repository, service } = serviceOver(offering);
    await service.remove('o1', owner);
    expect(repository.remove).toHaveBeenCalledWith('o1');
  });
});

test('an offering removed while it is being edited is not found', async () => {
  const { repository, service } = serviceOver(offering);
  repository.update.mockResolvedValueOnce(null);
  await expect(service.update({ id: 'o1' } as never, owner)).rejects.toMatchObject({ code: 'not_found' });
});

test('a creator with as many offerings as allowed is told so', async () => {
  const { service } = serviceOver(null);
  await expect(service.create({} as never, owner)).rejects.toMatchObject({ code: 'conflict' });
});
