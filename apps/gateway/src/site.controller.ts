import { SiteConfig } from '@stoa/contracts';
import { Controller, Get, Redirect } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import { Public } from './auth/access.decorator.ts';
import { PublicRoute } from './openapi.decorator.ts';
import { WebApp } from './web-app.ts';

@Controller()
export class SiteController {
  constructor(private readonly web: WebApp) {}

  @Get('api/config')
  @PublicRoute(SiteConfig, {
    summary: 'Tells where the site signs in and reads pictures',
    description: 'What a browser must know of this installation.',
  })
  config() {
    return this.web.siteConfig;
  }

  @Get('terms')
  @Public()
  @ApiExcludeEndpoint()
  @Redirect('/terms-of-service', 301)
  terms() {
    return undefined;
  }
}
