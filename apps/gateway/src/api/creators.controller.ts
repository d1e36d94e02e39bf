import {
  BrowseQuery,
  CreatorPage,
  creators,
  offerings,
  PublicCreator,
  PublicOfferingList,
  requiredLine,
} from '@stoa/contracts';
import { Bus } from '@stoa/messaging';
import { Controller, Get, Header, Param, Query } from '@nestjs/common';
import { z } from 'zod';
import { PublicRoute } from './openapi.decorator.ts';
import { PublicCache } from '../reads/public-cache.ts';

const UsernameParam = requiredLine(60).describe('As in the address of the profile.');

// A query string holds text only; the contract wants a number.
const BrowseQueryString = BrowseQuery.extend({
  limit: z.coerce
    .number()
    .pipe(BrowseQuery.shape.limit.unwrap())
    .meta({ type: 'integer', minimum: 1, maximum: 60, description: 'Creators on a page.' })
    .optional(),
});

/** What visitors read. The browser asks again each time, and an unchanged answer costs no body (ETag). */
const revalidated = () => Header('cache-control', 'public, no-cache');

const ofFirst = { username: '$response.body#/items/0/username' };

@Controller('api/creators')
export class CreatorsController {
  constructor(
    private readonly bus: Bus,
    private readonly cache: PublicCache,
  ) {}

  @Get()
  @PublicRoute(CreatorPage, {
    summary: 'Finds creators',
    description:
      'Everybody without a search or a niche. Page by page: `nextCursor` of one answer is `cursor` of the next.',
    leadsTo: { 'creators.find': ofFirst, 'creators.offerings': ofFirst },
  })
  @revalidated()
  browse(@Query({ schema: BrowseQueryString }) query: z.infer<typeof BrowseQueryString>) {
    const input = BrowseQuery.parse(query);
    return this.cache.read('creators', `browse ${JSON.stringify(input)}`, () =>
      this.bus.ask(creators.browse, input),
    );
  }

  @Get(':username')
  @PublicRoute(PublicCreator, {
    summary: "Reads a creator's public profile",
    description: 'As it is shown at /profile/{username}.',
    problems: [404],
  })
  @revalidated()
  find(@Param('username', { schema: UsernameParam }) username: string) {
    return this.cache.read('creators', `find ${username}`, () => this.bus.ask(creators.find, { username }));
  }

  @Get(':username/offerings')
  @PublicRoute(PublicOfferingList, {
    summary: "Lists a creator's offerings",
    description:
      'As visitors see them, the newest first: without files, delivery keys and notes of the creator.',
    problems: [404],
  })
  @revalidated()
  async offerings(@Param('username', { schema: UsernameParam }) username: string) {
    const { uid } = await this.find(username);
    return this.cache.read('offerings', `list ${uid}`, () =>
      this.bus.ask(offerings.listPublic, { creatorId: uid }),
    );
  }
}
