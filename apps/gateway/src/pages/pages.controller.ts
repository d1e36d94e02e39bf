import { Niche, paths, patterns } from '@stoa/contracts';
import { searchable } from '@stoa/contracts/text';
import { elapsedMs, Refusal } from '@stoa/messaging';
import { Controller, Get, Header, Param, Redirect, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../auth/access.decorator.ts';
import { GatewayConfig } from '../gateway.config.ts';
import { html as markup } from '../http/html.ts';
import { Limited, RateLimits } from '../http/rate-limits.ts';
import { PublicReads } from '../reads/public-reads.ts';
import { sendResponse } from '../reads/send-response.ts';
import { creatorContactForm } from './plain-contact-form.ts';
import { type CachedPage, PublicPages } from './public-pages.ts';
import {
  browsePage,
  notFoundPage,
  staticPages,
  unavailableProfilePage,
  unlistedPage,
} from './static-pages.ts';
import { WebApp } from './web-app.ts';

/** Seconds after which search engines should retry a page whose data could not be read. */
const retryAfterSeconds = 60;

/** The page for an unknown address, in browsers without scripts. The web app has the same texts. */
const notFound = (words: string) =>
  markup`<h1>${words}</h1>
  <p><a href="${paths.home}">Back to Home</a> or <a href="${paths.browse}">Browse Creators</a></p>`;
/** The page during an outage, in browsers without scripts. In others, the web app loads the data itself. */
const unavailable = (words: string) => markup`<h1>${words}</h1>
  <p><a href="">Try again</a></p>`;
const notListed = unavailable('Failed to load creators.');

const profilePage = {
  pattern: patterns.profile as string,
  404: 'Creator not found.',
  503: 'Failed to load creator profile.',
};
const offeringPage: typeof profilePage = {
  pattern: patterns.offering,
  404: 'Offering not found.',
  503: 'Failed to load this offering.',
};

// On 503 search engines keep the page in their index. In both cases the web app loads the data and shows the error.
const statusOf = (error: unknown): 404 | 503 =>
  error instanceof Refusal && ['not_found', 'invalid_input'].includes(error.code) ? 404 : 503;

const html = () => Header('content-type', 'text/html; charset=utf-8');
const revalidated = () => Header('cache-control', 'no-cache');

/** Serves all addresses that are neither API nor file with the web app. The HTML contains the metadata of the page. */
@Controller()
@ApiExcludeController()
export class PagesController {
  constructor(
    private readonly web: WebApp,
    private readonly pages: PublicPages,
    private readonly reads: PublicReads,
    private readonly config: GatewayConfig,
    private readonly limits: RateLimits,
  ) {}

  @Get('profile/:username')
  @Public()
  @Limited('page', 'api')
  @html()
  @revalidated()
  async profile(
    @Param('username') username: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ) {
    const named = profileAddress(request.url);
    if (named) return reply.redirect(named, 301);
    const page = await this.withinPatience(this.pages.profile(username)).catch(statusOf);
    if (typeof page === 'object') return this.send(page, request, reply);
    return this.sendUnread(page, paths.profile(username), profilePage, reply);
  }

  @Get('profile/:username/:slug')
  @Public()
  @Limited('page', 'api')
  @html()
  @revalidated()
  async offering(
    @Param('username') username: string,
    @Param('slug') slug: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ) {
    const named = profileAddress(request.url);
    if (named) return reply.redirect(named, 301);
    if (paths.contactCreator(username).endsWith(`/${slug.toLowerCase()}`)) {
      const profile = await this.withinPatience(this.pages.profile(username)).catch(statusOf);
      // During an outage the creator may exist, so the contact form is shown.
      if (profile !== 404) return this.page(request, reply);
      return this.sendUnread(404, paths.contactCreator(username), profilePage, reply);
    }
    const page = await this.withinPatience(this.pages.offering(username, slug)).catch(statusOf);
    if (typeof page === 'object') return this.send(page, request, reply);
    if (typeof page === 'number')
      return this.sendUnread(page, paths.offering(username, slug), offeringPage, reply);
    const { search } = new URL(request.url, this.web.site);
    // 301 (permanent), but without caching, because the offering may get an earlier title again.
    return reply.redirect(`${page}${search}`, 301);
  }

  @Get('browse-creators')
  @Public()
  @html()
  @revalidated()
  async browse(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { path } = browsePage;
    const asked = new URL(request.url, this.web.site).searchParams;
    // An unknown niche lists all creators, as in the web app. Other parameters are ignored.
    const { data: niche } = Niche.safeParse(asked.get('niche'));
    const text = searchable(asked.get('search') ?? '');
    if (text) return this.search(text, niche, request, reply);
    const page = await this.withinPatience(this.pages.browse(niche)).catch(() => undefined);
    if (page) return this.send(page, request, reply);
    const missing = [this.pages.listAddress(niche)];
    return reply.send(await this.web.page(browsePage, path, { missing, withoutScripts: notListed }));
  }

  /** Each search text causes a database query. So it also counts against the API's limit, and its page is not cached. */
  private async search(text: string, niche: Niche | undefined, request: FastifyRequest, reply: FastifyReply) {
    this.limits.countAs(request, ['api']);
    const page = await this.withinPatience(this.pages.search(text, niche)).catch(() => undefined);
    const { path } = browsePage;
    return reply.send(page ?? (await this.web.page(browsePage, path, { withoutScripts: notListed })));
  }

  @Get('terms')
  @Public()
  @Redirect('/terms-of-service', 301)
  terms() {
    return undefined;
  }

  @Get('*')
  @Public()
  @html()
  @revalidated()
  async page(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const path = request.url.split('?')[0] ?? '/';
    const profile = profileAddress(request.url);
    if (profile) return reply.redirect(profile, 301);
    if (/^\/(api|assets)(\/|$)/.test(path)) throw new Refusal('not_found', 'There is nothing here.');
    // The web app's router ignores letter case and a trailing slash, so this does too.
    const head = staticPages.get(path.replace(/(?<=.)\/$/, '').toLowerCase());
    // This page needs data. Its own route matches only the lower-case address.
    if (head === browsePage) return this.browse(request, reply);
    if (head?.path === paths.home) return this.send(await this.pages.home(head), request, reply);
    if (head) return this.send(await this.pages.staticPage(head), request, reply);
    // The address contains a delivery key, and caches use addresses as keys, so they must not store the page.
    if (/[?&]key=/.test(request.url)) void reply.header('cache-control', 'no-store');
    const work = unlistedPage(path);
    const withoutScripts =
      creatorContactForm(path) ?? (work ? undefined : notFound('There is nothing at this address.'));
    const page = this.web.page(
      work ?? notFoundPage,
      work?.path ?? '',
      withoutScripts ? { withoutScripts } : {},
    );
    return reply.code(work ? 200 : 404).send(await page);
  }

  /** @throws Refusal `timeout` if the page is not ready in time. It is cached when it is ready. */
  private async withinPatience<T>(page: Promise<T>): Promise<T> {
    const left = this.config.PAGE_PATIENCE_MS - elapsedMs();
    let timer: NodeJS.Timeout | undefined;
    // Not an AbortSignal: its error has a stack trace, which took 0.2 ms per page.
    const late = new Promise<never>((_, reject) => {
      const refuse = () => reject(new Refusal('timeout', 'The data of the page did not come in time.'));
      timer = setTimeout(refuse, Math.max(1, left));
    });
    return Promise.race([page, late]).finally(() => clearTimeout(timer));
  }

  private async sendUnread(
    status: 404 | 503,
    path: string,
    unread: typeof profilePage,
    reply: FastifyReply,
  ): Promise<void> {
    if (status === 503) void reply.header('retry-after', retryAfterSeconds);
    const head = status === 404 ? notFoundPage : unavailableProfilePage(path);
    const withoutScripts = status === 404 ? notFound(unread[404]) : unavailable(unread[503]);
    await reply.code(status).send(await this.web.page(head, unread.pattern, { withoutScripts }));
  }

  private send({ key, found }: CachedPage, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    return sendResponse(this.reads, key, found, request, reply);
  }
}

/** The canonical address for the spellings `/@name`, `/%40name/slug`, `/profile/@name` and `/Profile/name`. */
function profileAddress(url: string): string | undefined {
  const [, path = '', search = ''] = /^([^?]*)(.*)$/s.exec(url.replace(/%40/g, '@')) ?? [];
  const [, folder, at, name, slug] = /^\/(profile\/)?(@?)([\w-]+)(?:\/([\w-]+))?\/?$/i.exec(path) ?? [];
  // The route `/profile/` ignores the letter case of names and a trailing slash, so it needs no redirect.
  if (!name || !(at || folder) || (!at && path.startsWith('/profile/'))) return undefined;
  const username = name.toLowerCase();
  return (slug ? paths.offering(username, slug) : paths.profile(username)) + search;
}
