import type { SiteConfig } from '@stoa/contracts';
import { Injectable } from '@nestjs/common';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GatewayConfig, siteConfig } from '../gateway.config.ts';
import { html, scriptJson } from '../http/html.ts';
import { type FirstReads, type PageFiles, readPageFiles, renderPreloads } from './page-files.ts';
import { type PageHead, renderHead } from './page-head.ts';

/** The SPA's page, with what it must know of this installation, and what each address says of itself, written into it. */
@Injectable()
export class WebApp {
  readonly siteConfig: SiteConfig;
  /** Public address of the site, without a slash at its end. */
  readonly site: string;
  private readonly root: string;
  private built: Promise<{ template: string; files: PageFiles }> | undefined;

  constructor(config: GatewayConfig) {
    this.site = config.SITE_URL.replace(/\/$/, '');
    this.siteConfig = siteConfig(config);
    this.root = config.WEB_ROOT;
  }

  /** The page's HTML for `head`, asking early for what the page at `path` reads first. */
  async page(head: PageHead, path: string, reads: FirstReads = {}): Promise<string> {
    const { template, files } = await this.read();
    const { content = html`<p>Stoa needs JavaScript to show this page.</p>` } = head;
    const config = html`<script id="stoa-config" type="application/json">
      ${scriptJson(this.siteConfig)}
    </script>`;
    const noscript = html`<noscript>
      <div class="noscript">
        <header><a href="/">Stoa</a></header>
        <main>${content}</main>
      </div>
    </noscript>`;
    const preloads = renderPreloads(files, path, reads, this.siteConfig.mediaUrl);
    // Functions, since a replacement text would give $& and its like a meaning.
    return template
      .replace(/\s*<meta\s+name="description"[^>]*>/, '')
      .replace(/<title>[^<]*<\/title>/, () => renderHead(head, this.site).text)
      .replace(/<noscript>.*?<\/noscript>/s, () => noscript.text)
      .replace('<!--stoa-config-->', () => config.text)
      .replace('</head>', () => `${preloads.text}</head>`);
  }

  /** What was built is read once; a failed read is tried again by the next visitor. */
  private read(): Promise<{ template: string; files: PageFiles }> {
    return (this.built ??= Promise.all([
      readFile(join(this.root, 'index.html'), 'utf8'),
      readPageFiles(this.root),
    ]).then(
      ([template, files]) => ({ template, files }),
      (error: unknown) => {
        this.built = undefined;
        throw error;
      },
    ));
  }
}
