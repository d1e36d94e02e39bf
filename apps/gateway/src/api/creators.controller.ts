import {
  BrowseQuery,
  CreatorPage,
  limits,
  PublicCreator,
  PublicOffering,
  PublicOfferingList,
  requiredLine,
} from '@stoa/contracts';
import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { PublicRoute } from './openapi.decorator.ts';
import { CreatorReads } from '../reads/creator-reads.ts';
import { PublicReads } from '../reads/public-reads.ts';
import { sendResponse } from '../reads/send-response.ts';

const UsernameParam = requiredLine(60).describe('As in the address of the profile.');

// Values in a query string are text, but the contract expects a number.
const BrowseQueryString = BrowseQuery.extend({
  limit: z.coerce
    .number()
    .pipe(BrowseQuery.shape.limit.unwrap())
    .meta({ type: 'integer', minimum: 1, maximum: 60, description: 'Creators on a page.' })
    .optional(),
});

const ofFirst = { username: '$response.body#/items/0/username' };

@Controller('api/creators')
export class CreatorsController {
  constructor(
    private readonly creators: CreatorReads,
    private readonly reads: PublicReads,
  ) {}

  @Get()
  @PublicRoute(CreatorPage, {
    summary: 'Finds creators',
    description:
      'Lists all creators without a search or a niche. Paginated: `nextCursor` of one response is `cursor` of the next request.',
    leadsTo: { 'creators.find': ofFirst, 'creators.offerings': ofFirst },
  })
  async browse(
    @Query({ schema: BrowseQueryString }) query: z.infer<typeof BrowseQueryString>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ) {
    const { key, found } = await this.creators.browse(BrowseQuery.parse(query));
    await sendResponse(this.reads, key, found, request, reply);
  }

  @Get(':username')
  @PublicRoute(PublicCreator, {
    summary: "Reads a creator's public profile",
    description: 'As shown at /profile/{username}.',
    problems: [404],
  })
  async find(
    @Param('username', { schema: UsernameParam }) username: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ) {
    const { key, found } = await this.creators.profile(username);
    await sendResponse(this.reads, key, found, request, reply);
  }

  @Get(':username/offerings')
  @PublicRoute(PublicOfferingList, {
    summary: "Lists a creator's offerings",
    description:
      'As visitors see them, in the order of the creator. Files, delivery keys and notes of the creator are not included.',
    problems: [404],
    leadsTo: { 'creators.offering': { slug: '$response.body#/items/0/slug' } },
  })
  async offerings(
    @Param('username', { schema: UsernameParam }) username: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ) {
    const { key, found } = await this.creators.offerings(username);
    await sendResponse(this.reads, key, found, request, reply);
  }

  @Get(':username/offerings/:slug')
  @PublicRoute(PublicOffering, {
    summary: "Reads one of a creator's offerings",
    description: 'As shown at /profile/{username}/{slug}. The response has the current `slug`.',
    problems: [404],
  })
  async offering(
    @Param('username', { schema: UsernameParam }) username: string,
    @Param('slug', {
      schema: requiredLine(limits.slugLength).describe(
        'The current slug of the offering, an earlier one, or its id.',
      ),
    })
    slug: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ) {
    const { key, found } = await this.creators.offering(username, slug);
    await sendResponse(this.reads, key, found, request, reply);
  }
}
