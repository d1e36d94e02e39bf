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

/** The parts of the web app's build that the server needs. */
interface Built {
  readonly template: string;
  readonly files: PageFiles;
  readonly renderPage: (source: { address: string; answers: Answers; mediaUrl: string }) => Promise<string>;
}

/** The data from which a page is rendered. */
interface PageSource extends FirstReads {
  /** Path and query of the page. */
  readonly address: string;
  /** API responses by address. The page contains them, so that the browser does not request them. */
  readonly answers?: Answers;
}

interface LeftToBrowser extends FirstReads {
  /** The content for browsers without scripts. */
  readonly withoutScripts?: Html;
}

/** Maximum concurrent renderings. Above it, visitors get a page without content, which the browser renders. */
const maxRenders = 32;

/** Writes the HTML of pages, with the settings of this installation and the metadata of each page. */
@Injectable()
export class WebApp implements OnModuleInit {
  readonly siteConfig: SiteConfig;
  /** Public address of the site, without a trailing slash. */
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

  /** Reads the web app before the gateway listens. After a rollout all visitors would wait otherwise. */
  async onModuleInit(): Promise<void> {
    await this.read().catch((error: unknown) => {
      this.logger.warn(`cannot read the web app: ${String(error)}`);
    });
  }

  /** HTML of a page that the browser renders. `pattern` selects its files in the build. */
  async page(head: PageHead, pattern: string, reads: LeftToBrowser = {}): Promise<string> {
    return this.write(await this.read(), head, pattern, reads);
  }

  /** HTML of a page that the server renders. If rendering fails, the age is 0, so that the next request tries again. */
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
    // In a rendered page the scripts wait in a template, so that the text is shown first. A page without content needs them
    // now.
    const code = (scripts: string) =>
      content === undefined
        ? `${scripts}${preloads.code.text}`
        : `<template id="code">${scripts}${preloads.code.text}</template>`;
    const { palette = defaultPalette } = head;
    const paletteAttribute = palette === defaultPalette ? html`` : html` data-palette="${palette}"`;
    const { withoutScripts } = source;
    const instead =
      withoutScripts && html`<noscript><div class="noscript">${withoutScripts}</div></noscript>`;
    // Functions instead of strings, because `replace` gives `$&` and similar text a meaning.
    return built.template
      .replace('<html lang="en"', (start) => start + paletteAttribute.text)
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

  /** Renders the content; undefined if rendering fails or the limit is reached, so that the browser renders it. */
  private async render(built: Built, address: string, answers: Answers): Promise<string | undefined> {
    if (this.rendering >= maxRenders) return undefined;
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

  /** Reads the web app's build once. If it fails, the next request tries again. */
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
