import { SiteConfig } from '@stoa/contracts';
import { Controller, Get } from '@nestjs/common';
import { GatewayConfig, siteConfig } from '../gateway.config.ts';
import { PublicRoute } from './openapi.decorator.ts';

@Controller('api/config')
export class SiteController {
  constructor(private readonly site: GatewayConfig) {}

  @Get()
  @PublicRoute(SiteConfig, {
    summary: 'Tells where the site signs in and reads pictures',
    description: 'What a browser must know of this installation.',
  })
  config() {
    return siteConfig(this.site);
  }
}
