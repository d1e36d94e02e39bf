import { makeCaller } from '@stoa/testing';
import { expect, test } from '@jest/globals';
import type { CheckedLinks } from './checked-links.repository.ts';
import type { ContactConfig } from '../contact.config.ts';
import { LinkHealthService } from './link-health.service.ts';

const dead = [{ url: 'https://pay.example.com/' }];
const links = { listDead: async () => dead } as unknown as CheckedLinks;
const serviceOf = (LINK_CHECK: boolean) => new LinkHealthService(links, { LINK_CHECK } as ContactConfig);

test('no link is listed as dead when link checks are off', async () => {
  expect(await serviceOf(true).read(makeCaller())).toEqual({ items: dead });
  expect(await serviceOf(false).read(makeCaller())).toEqual({ items: [] });
});
