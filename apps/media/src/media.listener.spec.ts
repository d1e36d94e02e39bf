import { CreatorFacts, OfferingFacts } from '@stoa/contracts';
import { expect, it, jest } from '@jest/globals';
import { MediaListener } from './media.listener.ts';
import type { MediaService } from './media.service.ts';
import type { PreviewCardService } from './preview-card.service.ts';
import type { WithdrawalService } from './withdrawal.service.ts';

const id = '4f9f4a56-8a5a-4a4e-9d5e-0f9f0c3f7a11';
const cover = '0b7f1f0e-3c07-4c8d-8a53-6a2f5d8b9c22';
const file = '7d1c2f6a-90ab-4f0e-b1f4-2f6f3a1e5d33';
const other = '2b6f0a51-7c43-4c0b-9f6e-1a9d3e5c7f44';
const announced = { id, creatorId: id, coverImageId: cover, version: 2 };

it.each([
  ['leaves the file as it is when nothing is said of it', announced, { 'offering-cover': cover }],
  ['lets the file go when there is none', { ...announced, fileId: null }, { 'offering-file': null }],
  ['keeps the file that is named', { ...announced, fileId: file }, { 'offering-file': file }],
  [
    'keeps all files that are named',
    { ...announced, fileId: file, fileIds: [file, other] },
    { 'offering-file': file, files: [file, other] },
  ],
])('%s', async (_, facts, uses) => {
  const attach = jest.fn(async () => undefined);
  const cards = {} as PreviewCardService;
  const withdrawals = {} as WithdrawalService;
  const listener = new MediaListener({ attach } as unknown as MediaService, cards, withdrawals);
  await listener.offeringChanged(OfferingFacts.parse(facts), { id: 'an event', subject: 'a subject' });
  const owner = expect.objectContaining({ id, version: 2 }) as unknown;
  expect(attach.mock.calls).toEqual([[owner, { 'offering-cover': cover, ...uses }, 'an event']]);
});

it.each([
  ['leaves the header as it is when nothing is said of it', {}, {}],
  ['lets the header go when there is none', { headerImageId: null }, { 'profile-header': null }],
  ['keeps the header that is named', { headerImageId: file }, { 'profile-header': file }],
])('%s', async (_, facts, uses) => {
  const attach = jest.fn(async () => undefined);
  const cards = {} as PreviewCardService;
  const withdrawals = {} as WithdrawalService;
  const listener = new MediaListener({ attach } as unknown as MediaService, cards, withdrawals);
  const creator = {
    uid: id,
    username: 'ama',
    displayName: 'Ama',
    profileImageId: cover,
    version: 2,
    ...facts,
  };
  await listener.creatorChanged(CreatorFacts.parse(creator), { id: 'an event', subject: 'a subject' });
  expect(attach.mock.calls).toEqual([
    [{ id, version: 2 }, { 'profile-picture': cover, ...uses }, 'an event'],
  ]);
});
