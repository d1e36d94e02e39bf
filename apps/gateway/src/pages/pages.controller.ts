import { Niche, paths } from '@stoa/contracts';
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

/** When a search engine may ask again for what cannot be read now. */
const retryAfterSeconds = 60;

/** What a browser without scripts shows where nothing stands at an address; the words for pages are those of the web app. */
const notFound = (words: string) =>
  markup`<h1>${words}</h1>
  <p><a href="${paths.home}">Back to Home</a> or <a href="${paths.browse}">Browse Creators</a></p>`;
/** The same where a page cannot be read; the web app asks for its data itself. */
const unavailable = (words: string) => markup`<h1>${words}</h1>
  <p><a href="">Try again</a></p>`;
const notListed = unavailable('Failed to load creators.');

const profileWords = { 404: 'Creator not found.', 503: 'Failed to load creator profile.' };
const offeringWords = { 404: 'Offering not found.', 503: 'Failed to load this offering.' };

// The page itself can still be shown, and says what is wrong once it asks for its data. Search engines keep what they
// know of it on 503.
const statusOf = (error: unknown): 404 | 503 =>
  error instanceof Refusal && ['not_found', 'invalid_input'].includes(error.code) ? 404 : 503;

const html = () => Header('content-type', 'text/html; charset=utf-8');
const revalidated = () => Header('cache-control', 'no-cache');

/** Every address that is neither API nor file belongs to the SPA; the first HTML says what the address is about. */
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
    const page = await this.inTime(this.pages.profile(username)).catch(statusOf);
    if (typeof page === 'object') return this.send(page, request, reply);
    return this.sendUnread(page, paths.profile(username), profileWords, reply);
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
    if (paths.contactCreator(username).endsWith(`/${slug.toLowerCase()}`)) return this.page(request, reply);
    const page = await this.inTime(this.pages.offering(username, slug)).catch(statusOf);
    if (typeof page === 'object') return this.send(page, request, reply);
    if (typeof page === 'number')
      return this.sendUnread(page, paths.offering(username, slug), offeringWords, reply);
    const { search } = new URL(request.url, this.web.site);
    // For good, but asked again: a title may come back to what it was.
    return reply.redirect(`${page}${search}`, 301);
  }

  @Get('browse-creators')
  @Public()
  @html()
  @revalidated()
  async browse(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { path } = browsePage;
    const asked = new URL(request.url, this.web.site).searchParams;
    // Like the web app, which shows everybody for a niche that it does not know; other names mean nothing.
    const { data: niche } = Niche.safeParse(asked.get('niche'));
    const text = searchable(asked.get('search') ?? '');
    if (text) return this.search(text, niche, request, reply);
    const page = await this.inTime(this.pages.browse(niche)).catch(() => undefined);
    if (page) return this.send(page, request, reply);
    const missing = [this.pages.listAddress(niche)];
    return reply.send(await this.web.page(browsePage, path, { missing, withoutScripts: notListed }));
  }

  /** Each text is another question to the database: it counts as one to the API, and the page is not kept. */
  private async search(text: string, niche: Niche | undefined, request: FastifyRequest, reply: FastifyReply) {
    this.limits.countAs(request, ['api']);
    const page = await this.inTime(this.pages.search(text, niche)).catch(() => undefined);
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
    // The router of the web app minds neither the case of an address nor a slash at its end.
    const head = staticPages.get(path.replace(/(?<=.)\/$/, '').toLowerCase());
    // Written in other letters; its page holds answers, and is kept for moments alone.
    if (head === browsePage) return this.browse(request, reply);
    if (head?.path === paths.home) return this.send(await this.pages.home(head), request, reply);
    if (head) return this.send(await this.pages.staticPage(head), request, reply);
    // A link from before keys moved into the fragment; as a page's address caches would keep it.
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

  /** @throws Refusal `timeout` for what comes later than a page waits; it is kept when it comes. */
  private async inTime<T>(page: Promise<T>): Promise<T> {
    const left = this.config.PAGE_PATIENCE_MS - elapsedMs();
    let timer: NodeJS.Timeout | undefined;
    // Not by an AbortSignal: its error, with a stack that nobody reads, took 0.2 ms of each page.
    const late = new Promise<never>((_, reject) => {
      const refuse = () => reject(new Refusal('timeout', 'The data of the page did not come in time.'));
      timer = setTimeout(refuse, Math.max(1, left));
    });
    return Promise.race([page, late]).finally(() => clearTimeout(timer));
  }

  private async sendUnread(
    status: 404 | 503,
    path: string,
    words: Record<404 | 503, string>,
    reply: FastifyReply,
  ): Promise<void> {
    if (status === 503) void reply.header('retry-after', retryAfterSeconds);
    const head = status === 404 ? notFoundPage : unavailableProfilePage(path);
    const withoutScripts = status === 404 ? notFound(words[404]) : unavailable(words[503]);
    await reply.code(status).send(await this.web.page(head, path, { withoutScripts }));
  }

  private send({ key, found }: CachedPage, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    return sendResponse(this.reads, key, found, request, reply);
  }
}

/** Where a page is whose address was written another way: `/@name`, `/%40name/slug`, `/profile/@name`, `/Profile/name`. */
function profileAddress(url: string): string | undefined {
  const [, path = '', search = ''] = /^([^?]*)(.*)$/s.exec(url.replace(/%40/g, '@')) ?? [];
  const [, folder, at, name, slug] = /^\/(profile\/)?(@?)([\w-]+)(?:\/([\w-]+))?\/?$/i.exec(path) ?? [];
  // Names are small letters, and the page minds neither their case nor a slash at its end.
  if (!name || !(at || folder) || (!at && path.startsWith('/profile/'))) return undefined;
  const username = name.toLowerCase();
  return (slug ? paths.offering(username, slug) : paths.profile(username)) + search;
}
