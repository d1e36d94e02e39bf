import { makeCaller } from '@stoa/testing';
import { expect, test } from '@jest/globals';
import type { ContactConfig } from './contact.config.ts';
import type { ContactRepository } from './contact.repository.ts';
import { LinkHealthService } from './link-health.service.ts';

const dead = [{ url: 'https://pay.example.com/' }];
const messages = { links: { listDead: async () => dead } } as unknown as ContactRepository;
const serviceOf = (LINK_CHECK: boolean) => new LinkHealthService(messages, { LINK_CHECK } as ContactConfig);

test('where links are no longer looked at none is called dead', async () => {
  expect(await serviceOf(true).read(makeCaller())).toEqual({ items: dead });
  expect(await serviceOf(false).read(makeCaller())).toEqual({ items: [] });
});
