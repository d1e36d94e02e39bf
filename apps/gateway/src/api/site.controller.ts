import { SiteConfig } from '@stoa/contracts';
import { Controller, Get } from '@nestjs/common';
import { GatewayConfig, siteConfig } from '../gateway.config.ts';
import { PublicRoute } from './openapi.decorator.ts';

@Controller('api/config')
export class SiteController {
  constructor(private readonly site: GatewayConfig) {}

  @Get()
  @PublicRoute(SiteConfig, {
    summary: 'Reads the addresses of the sign-in server and of pictures',
    description: 'The settings of this installation that a browser needs.',
  })
  config() {
    return siteConfig(this.site);
  }
}
