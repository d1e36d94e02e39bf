import { Refusal } from '@stoa/messaging';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../auth/access.decorator.ts';
import { acceptedEncoding } from '../reads/accepted-encoding.ts';
import { AssetArchive } from './asset-archive.ts';
import { assetType } from './asset-names.ts';
import { assetHeaders } from './web-files.ts';

/** Serves hashed files of other releases. The files of this release have static routes. */
@Controller('assets')
@ApiExcludeController()
export class AssetsController {
  constructor(private readonly archive: AssetArchive) {}

  @Get(':name')
  @Public()
  async find(@Param('name') name: string, @Req() { headers }: FastifyRequest, @Res() reply: FastifyReply) {
    const asset = await this.archive.find(name);
    if (!asset) throw new Refusal('not_found', 'There is nothing here.');
    const { plain, br } = asset;
    const packed = acceptedEncoding(headers['accept-encoding']) === 'br' ? br : undefined;
    return reply
      .headers({
        ...assetHeaders,
        'content-type': assetType(name),
        ...(packed && { 'content-encoding': 'br' }),
      })
      .send(packed ?? plain);
  }
}
