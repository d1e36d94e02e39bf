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
    summary: 'Reads the creator that the home page shows',
    description:
      'The first listed creator with a picture, a bio and offerings, and the first of these offerings.',
  })
  async read(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { key, found } = await this.creators.showcase();
    await sendResponse(this.reads, key, found, request, reply);
  }
}
