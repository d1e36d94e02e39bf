import { Showcase } from '@stoa/contracts';
import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CreatorReads } from '../reads/creator-reads.ts';
import { PublicReads } from '../reads/public-reads.ts';
import { sendResponse } from '../reads/send-response.ts';
import { PublicRoute } from './openapi.decorator.ts';

@Controller('api/showcase')
export class ShowcaseController {
  constructor(
    private readonly creators: CreatorReads,
    private readonly reads: PublicReads,
  ) {}

  @Get()
  @PublicRoute(Showcase, {
    summary: 'Reads the page that home shows',
    description:
      'The first of the list who has a picture, a bio and offerings, with what stands first there.',
  })
  async read(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { key, found } = await this.creators.showcase();
    await sendResponse(this.reads, key, found, request, reply);
  }
}
