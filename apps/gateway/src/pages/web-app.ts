import { defaultPalette, type SiteConfig } from '@stoa/contracts';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { GatewayConfig, siteConfig } from '../gateway.config.ts';
import { html, type Html, scriptJson } from '../http/html.ts';
import { type FirstReads, type PageFiles, readPageFiles, renderPreloads } from './page-files.ts';
import { type PageHead, renderHead } from './page-head.ts';

type Answers = Readonly<Record<string, unknown>>;

/** The built web app, as far as the server needs it. */
interface Built {
  readonly template: string;
  readonly files: PageFiles;
  readonly renderPage: (source: { address: string; answers: Answers; mediaUrl: string }) => Promise<string>;
}

/** What the page at an address is made from. */
interface PageSource extends FirstReads {
  /** Path and query. */
  readonly address: string;
  /** Answers of the API by their address; the browser gets them with the page and need not ask. */
  readonly answers?: Answers;
}

interface LeftToBrowser extends FirstReads {
  /** What a browser without scripts shows in place of the page. */
  readonly withoutScripts?: Html;
}

/** Limit of pages rendered at once; above it a visitor gets the frame and the browser renders the page. */
const mostAtOnce = 32;

/** The pages of the web app, with what they must know of this installation and what each address says of itself. */
@Injectable()
export class WebApp implements OnModuleInit {
  readonly siteConfig: SiteConfig;
  /** Public address of the site, without a slash at its end. */
  readonly site: string;
  private readonly logger = new Logger(WebApp.name);
  private readonly root: string;
  private built: Promise<Built> | undefined;
  private rendering = 0;

  constructor(config: GatewayConfig) {
    this.site = config.SITE_URL.replace(/\/$/, '');
    this.siteConfig = siteConfig(config);
    this.root = config.WEB_ROOT;
  }

  /** Before the gateway listens: in a rollout all visitors come to it at once, and would wait while it reads a program. */
  async onModuleInit(): Promise<void> {
    await this.read().catch((error: unknown) => {
      this.logger.warn(`the web app cannot be read: ${String(error)}`);
    });
  }

  /** The page's HTML for `head`, left to the browser; `pattern` is what its files are listed by. */
  async page(head: PageHead, pattern: string, reads: LeftToBrowser = {}): Promise<string> {
    return this.write(await this.read(), head, pattern, reads);
  }

  /** The same with its elements; of age 0 where these were not to be had, so that it is made anew soon. */
  async rendered(head: PageHead, pattern: string, source: PageSource): Promise<{ text: string; ageMs?: 0 }> {
    const built = await this.read();
    const content = await this.render(built, source.address, source.answers ?? {});
    const text = this.write(built, head, pattern, source, content);
    return content === undefined ? { text, ageMs: 0 } : { text };
  }

  private write(
    built: Built,
    head: PageHead,
    pattern: string,
    source: LeftToBrowser & Pick<PageSource, 'answers'>,
    content?: string,
  ): string {
    const { answers = {} } = source;
    const config = html`<script id="stoa-config" type="application/json">
      ${scriptJson(this.siteConfig)}
    </script>`;
    const given = html`<script id="stoa-answers" type="application/json">
      ${scriptJson(answers)}
    </script>`;
    const preloads = renderPreloads(built.files, pattern, source, this.siteConfig.mediaUrl);
    // Without words to show first, a page waits for its code alone.
    const code = (scripts: string) =>
      content === undefined
        ? `${scripts}${preloads.code.text}`
        : `<template id="code">${scripts}${preloads.code.text}</template>`;
    const { palette = defaultPalette } = head;
    const look = palette === defaultPalette ? html`` : html` data-palette="${palette}"`;
    const { withoutScripts } = source;
    const instead =
      withoutScripts && html`<noscript><div class="noscript">${withoutScripts}</div></noscript>`;
    // Functions, since a replacement text would give $& and its like a meaning.
    return built.template
      .replace('<html lang="en"', (start) => start + look.text)
      .replace(/\s*<meta\s+name="description"[^>]*>/, '')
      .replace(/<title>[^<]*<\/title>/, () => renderHead(head, this.site).text)
      .replace(/<noscript>.*?<\/noscript>/s, (frame) =>
        content === undefined ? (instead?.text ?? frame) : '',
      )
      .replace('<!--stoa-config-->', () => config.text)
      .replace(/<template id="code">(.*?)<\/template>/s, (_, scripts: string) => code(scripts))
      .replace('</head>', () => `${preloads.first.text}</head>`)
      .replace('<div id="root"></div>', () => `<div id="root">${content ?? ''}</div>${given.text}`);
  }

  /** The page's elements; undefined where they are not to be had, and the browser makes them. */
  private async render(built: Built, address: string, answers: Answers): Promise<string | undefined> {
    if (this.rendering >= mostAtOnce) return undefined;
    this.rendering += 1;
    try {
      return await built.renderPage({ address, answers, mediaUrl: this.siteConfig.mediaUrl });
    } catch (error) {
      this.logger.error(error);
      return undefined;
    } finally {
      this.rendering -= 1;
    }
  }

  /** What was built is read once; a failed read is tried again by the next visitor. */
  private read(): Promise<Built> {
    return (this.built ??= readBuilt(this.root).catch((error: unknown) => {
      this.built = undefined;
      throw error;
    }));
  }
}

async function readBuilt(root: string): Promise<Built> {
  const [template, files, { renderPage }] = await Promise.all([
    readFile(join(root, 'index.html'), 'utf8'),
    readPageFiles(root),
    import(pathToFileURL(join(root, 'server/render.mjs')).href) as Promise<Pick<Built, 'renderPage'>>,
  ]);
  return { template, files, renderPage };
}
