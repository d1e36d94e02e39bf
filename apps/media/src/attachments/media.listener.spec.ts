import { CreatorFacts, OfferingFacts } from '@stoa/contracts';
import { beforeEach, expect, it, jest } from '@jest/globals';
import type { AttachmentsService } from './attachments.service.ts';
import { MediaListener } from './media.listener.ts';
import type { PreviewCardService } from '../cards/preview-card.service.ts';
import type { WithdrawalService } from '../withdrawals/withdrawal.service.ts';

const id = '4f9f4a56-8a5a-4a4e-9d5e-0f9f0c3f7a11';
const cover = '0b7f1f0e-3c07-4c8d-8a53-6a2f5d8b9c22';
const file = '7d1c2f6a-90ab-4f0e-b1f4-2f6f3a1e5d33';
const other = '2b6f0a51-7c43-4c0b-9f6e-1a9d3e5c7f44';
const attach = jest.fn(async () => undefined);
const listener = new MediaListener(
  { attach } as unknown as AttachmentsService,
  {} as PreviewCardService,
  {} as WithdrawalService,
);
const delivery = { id: 'an event', subject: 'a subject' };
beforeEach(() => {
  attach.mockClear();
});

it.each([
  ['removes the files when there are none', []],
  ['keeps all files that are named', [file, other]],
])('%s', async (_, fileIds) => {
  const facts = { id, creatorId: id, coverImageId: cover, fileIds, publicChange: 0, version: 2 };
  await listener.offeringChanged(OfferingFacts.parse(facts), delivery);
  const owner = expect.objectContaining({ id, version: 2 }) as unknown;
  expect(attach.mock.calls).toEqual([[owner, { 'offering-cover': cover, files: fileIds }, 'an event']]);
});

it.each([
  ['removes the header when there is none', null],
  ['keeps the header that is named', file],
])('%s [media-5]', async (_, headerImageId) => {
  const names = { uid: id, username: 'ama', displayName: 'Ama' };
  const facts = { ...names, profileImageId: cover, headerImageId, version: 2 };
  await listener.creatorChanged(CreatorFacts.parse(facts), delivery);
  const uses = { 'profile-picture': cover, 'profile-header': headerImageId };
  expect(attach.mock.calls).toEqual([[{ id, version: 2 }, uses, 'an event']]);
});
