import { Refusal } from '@stoa/messaging';
import { Controller, Get, Header, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { SkipThrottle } from '@nestjs/throttler';
import type { FastifyRequest } from 'fastify';
import { Public } from './auth/access.decorator.ts';
import { WebApp } from './web-app.ts';

/** Every address that is neither API nor file belongs to the SPA, which has its own not-found page. */
@Controller()
@ApiExcludeController()
export class PagesController {
  constructor(private readonly web: WebApp) {}

  @Get('*')
  @Public()
  @SkipThrottle()
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('cache-control', 'no-cache')
  page(@Req() request: FastifyRequest) {
    if (/^\/(api|assets)(\/|$)/.test(request.url)) throw new Refusal('not_found', 'There is nothing here.');
    return this.web.html();
  }
}
