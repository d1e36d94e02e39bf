import type { SiteConfig } from '@stoa/contracts';
import { Injectable } from '@nestjs/common';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GatewayConfig } from './gateway.config.ts';

const marker = '<!--stoa-config-->';

/** The SPA's page, with what it must know of this installation written into it. */
@Injectable()
export class WebApp {
  readonly siteConfig: SiteConfig;
  private readonly indexFile: string;
  private page: Promise<string> | undefined;

  constructor(config: GatewayConfig) {
    this.siteConfig = {
      keycloak: {
        url: config.KEYCLOAK_URL,
        realm: config.KEYCLOAK_REALM,
        clientId: config.KEYCLOAK_CLIENT_ID,
      },
      mediaUrl: config.MEDIA_PUBLIC_URL,
    };
    this.indexFile = join(config.WEB_ROOT, 'index.html');
  }

  /** The page's HTML. Read once; a failed read is tried again by the next visitor. */
  html(): Promise<string> {
    this.page ??= this.read().catch((error: unknown) => {
      this.page = undefined;
      throw error;
    });
    return this.page;
  }

  private async read(): Promise<string> {
    const template = await readFile(this.indexFile, 'utf8');
    // `<` is escaped so that no value can close the element.
    const json = JSON.stringify(this.siteConfig).replaceAll('<', '\\u003c');
    return template.replace(marker, `<script id="stoa-config" type="application/json">${json}</script>`);
  }
}
