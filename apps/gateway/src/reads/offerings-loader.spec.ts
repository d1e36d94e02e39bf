import { offerings, type Request } from '@stoa/contracts';
import { type Bus, type Document, Refusal } from '@stoa/messaging';
import { expect, it } from '@jest/globals';
import { OfferingsLoader } from './offerings-loader.ts';

type Asked = { creatorId?: string; creatorIds?: string[] };

/** A loader over a service with room for `most` lists in a message, and what it is asked. */
function aService(most = Infinity, error?: Error) {
  const asked: Asked[] = [];
  const askForDocuments = async (request: Request, input: Asked): Promise<Document[]> => {
    asked.push(input);
    if (error && request === offerings.listPublicOfMany) throw error;
    const { creatorId = '', creatorIds = [creatorId] } = input;
    return creatorIds.slice(0, most).map((id) => ({ labels: {}, bytes: Buffer.from(id) }));
  };
  const loader = new OfferingsLoader({ askForDocuments } as unknown as Bus);
  const load = (...ids: string[]) =>
    Promise.all(ids.map(async (id) => Buffer.from((await loader.load(id)).bytes).toString()));
  return { asked, load };
}

it('asks for the lists of one turn in one message, each creator once', async () => {
  const { asked, load } = aService();
  expect(await load('ama', 'kofi', 'ama', 'esi')).toEqual(['ama', 'kofi', 'ama', 'esi']);
  expect(asked).toEqual([{ creatorIds: ['ama', 'kofi', 'esi'] }]);
});

it('asks for a single list by itself', async () => {
  const { asked, load } = aService();
  expect(await load('ama')).toEqual(['ama']);
  expect(asked).toEqual([{ creatorId: 'ama' }]);
});

it.each([
  ['had no room for them', aService(1), [{ creatorId: 'kofi' }, { creatorId: 'esi' }]],
  [
    'is of another release',
    aService(Infinity, new Error('no such answer')),
    [{ creatorId: 'ama' }, { creatorId: 'kofi' }, { creatorId: 'esi' }],
  ],
])('asks for lists by themselves where the service %s', async (_, { asked, load }, further) => {
  expect(await load('ama', 'kofi', 'esi')).toEqual(['ama', 'kofi', 'esi']);
  expect(asked.slice(1)).toEqual(further);
});

it('asks no more of a service that refuses', async () => {
  const { asked, load } = aService(Infinity, new Refusal('unavailable', 'No.'));
  await expect(load('ama', 'kofi')).rejects.toMatchObject({ code: 'unavailable' });
  expect(asked.length).toBe(1);
});
