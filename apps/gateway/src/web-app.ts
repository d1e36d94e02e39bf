import type { SiteConfig } from '@stoa/contracts';
import { Injectable } from '@nestjs/common';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GatewayConfig } from './gateway.config.ts';
import { html, type PageHead, renderHead, scriptJson } from './page-head.ts';

/** The SPA's page, with what it must know of this installation, and what each address says of itself, written into it. */
@Injectable()
export class WebApp {
  readonly siteConfig: SiteConfig;
  /** Public address of the site, without a slash at its end. */
  readonly site: string;
  private readonly indexFile: string;
  private template: Promise<string> | undefined;

  constructor(config: GatewayConfig) {
    this.site = config.SITE_URL.replace(/\/$/, '');
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

  /** The page's HTML for `head`. The file is read once; a failed read is tried again by the next visitor. */
  async page(head: PageHead): Promise<string> {
    this.template ??= readFile(this.indexFile, 'utf8').catch((error: unknown) => {
      this.template = undefined;
      throw error;
    });
    const { content = html`<p>Stoa needs JavaScript to show this page.</p>` } = head;
    const config = html`<script id="stoa-config" type="application/json">
      ${scriptJson(this.siteConfig)}
    </script>`;
    const noscript = html`<noscript>${content}</noscript>`;
    // Functions, since a replacement text would give $& and its like a meaning.
    return (await this.template)
      .replace(/\s*<meta\s+name="description"[^>]*>/, '')
      .replace(/<title>[^<]*<\/title>/, () => renderHead(head, this.site).text)
      .replace(/<noscript>.*?<\/noscript>/s, () => noscript.text)
      .replace('<!--stoa-config-->', () => config.text);
  }
}
