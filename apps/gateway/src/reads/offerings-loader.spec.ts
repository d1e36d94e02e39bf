import { offerings, type Request } from '@stoa/contracts';
import { type Bus, Refusal } from '@stoa/messaging';
import { expect, it } from '@jest/globals';
import { OfferingsLoader } from './offerings-loader.ts';

type Asked = { creatorId?: string; creatorIds?: string[] };

/** A loader and a stub of its service, which returns at most `most` lists per message and records the requests. */
function aService(most = Infinity, error?: Error) {
  const asked: Asked[] = [];
  const ask = async (request: Request, input: Asked) => {
    asked.push(input);
    if (error && request === offerings.listPublicOfMany) throw error;
    const listOf = (pinnedId: string) => ({ items: [], pinnedId });
    const { creatorId, creatorIds = [] } = input;
    return creatorId ? listOf(creatorId) : { items: creatorIds.slice(0, most).map(listOf) };
  };
  const loader = new OfferingsLoader({ ask } as unknown as Bus);
  const load = (...ids: string[]) => Promise.all(ids.map(async (id) => (await loader.load(id)).pinnedId));
  return { asked, load };
}

it('loads the lists of one turn in one message, each creator once', async () => {
  const { asked, load } = aService();
  expect(await load('ama', 'kofi', 'ama', 'esi')).toEqual(['ama', 'kofi', 'ama', 'esi']);
  expect(asked).toEqual([{ creatorIds: ['ama', 'kofi', 'esi'] }]);
});

it('loads a single list without a batch', async () => {
  const { asked, load } = aService();
  expect(await load('ama')).toEqual(['ama']);
  expect(asked).toEqual([{ creatorId: 'ama' }]);
});

it('loads the lists that did not fit into the batch one by one', async () => {
  const { asked, load } = aService(1);
  expect(await load('ama', 'kofi', 'esi')).toEqual(['ama', 'kofi', 'esi']);
  expect(asked.slice(1)).toEqual([{ creatorId: 'kofi' }, { creatorId: 'esi' }]);
});

it('does not retry after a refusal', async () => {
  const { asked, load } = aService(Infinity, new Refusal('unavailable', 'No.'));
  await expect(load('ama', 'kofi')).rejects.toMatchObject({ code: 'unavailable' });
  expect(asked.length).toBe(1);
});
