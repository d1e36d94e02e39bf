import { contact, creators, paths, problemStatus } from '@stoa/contracts';
import { Bus, Refusal } from '@stoa/messaging';
import { Body, Controller, Header, Ip, Logger, Param, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../auth/access.decorator.ts';
import { GatewayConfig } from '../gateway.config.ts';
import { html, type Html } from '../http/html.ts';
import { toRefusal } from '../http/problem-details.ts';
import { Limited } from '../http/rate-limits.ts';
import {
  failureText,
  plainContactForm,
  type MessageText,
  readPlainMessage,
  toMessage,
  parseMessage,
} from './plain-contact-form.ts';
import { staticPages, unlistedPage } from './static-pages.ts';
import { WebApp } from './web-app.ts';

/** Handles the forms of public pages in browsers without scripts. The web app sends the same messages to the API. */
@Controller()
@ApiExcludeController()
export class PlainFormsController {
  private readonly logger = new Logger(PlainFormsController.name);

  constructor(
    private readonly web: WebApp,
    private readonly bus: Bus,
    private readonly config: GatewayConfig,
  ) {}

  @Post('contact')
  @Public()
  @Limited('page', 'api')
  @Header('cache-control', 'no-store')
  send(
    @Body() body: unknown,
    @Ip() sender: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ) {
    const form = {
      path: paths.contact,
      title: 'Contact us',
      thanks: "Thanks for your message! We'll be in touch soon.",
    };
    return this.take({ ...form, body }, request, reply, (text) =>
      this.bus.ask(contact.send, { ...toMessage(text, sender, null), sender }),
    );
  }

  @Post('profile/:username/contact')
  @Public()
  @Limited('page', 'api')
  @Header('cache-control', 'no-store')
  relay(
    @Param('username') username: string,
    @Body() body: unknown,
    @Ip() sender: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ) {
    const name = `@${username}`;
    const thanks = `Thanks for your message! It goes to ${name}, who answers by email.`;
    const form = { path: paths.contactCreator(username), title: `Contact ${name}`, thanks };
    return this.take({ ...form, body }, request, reply, async (text) => {
      const to = await this.bus.ask(creators.findMailbox, { username });
      return this.bus.ask(contact.relay, { ...toMessage(text, sender, to.uid), sender, to });
    });
  }

  private async take(
    { path, title, thanks, body }: Posted,
    request: FastifyRequest,
    reply: FastifyReply,
    send: (text: MessageText) => Promise<unknown>,
  ): Promise<void> {
    const values = readPlainMessage(body);
    const answer = async (status: number, content: Html) => {
      const head = staticPages.get(path) ?? unlistedPage(path);
      if (!head) throw new Refusal('not_found', 'There is nothing here.');
      const page = await this.web.page(head, path, { withoutScripts: html`<h1>${title}</h1>${content}` });
      await reply.code(status).type('text/html; charset=utf-8').send(page);
    };
    if (!this.isFromSite(request)) {
      const failure = `${failureText} It came from another site. Please send it from here.`;
      return answer(problemStatus.forbidden, plainContactForm(path, { values, failure }));
    }
    const read = parseMessage(values);
    if ('errors' in read)
      return answer(400, plainContactForm(path, { values, errors: read.errors, failure: failureText }));
    try {
      await send(read.text);
    } catch (error) {
      const { code, message } = toRefusal(error);
      if (code === 'internal') this.logger.error(error);
      const failure = `${failureText} ${code === 'unavailable' || code === 'internal' ? '' : message}`.trim();
      return answer(problemStatus[code], plainContactForm(path, { values, failure }));
    }
    await answer(200, html`<p role="status">${thanks}</p><p><a href="/">Stoa</a></p>`);
  }

  /**
   * Whether a page of this site posted the form (CSRF). Without `Sec-Fetch-Site` (Safari until 16.3, or plain HTTP) the
   * `Origin` decides. It is `null` if the page sends no referrer (Fetch standard, 3.2).
   */
  private isFromSite({ headers }: FastifyRequest): boolean {
    const site = headers['sec-fetch-site'];
    // `none` means that the visitor caused the request, for example by a reload.
    if (site !== undefined) return site === 'same-origin' || site === 'none';
    return [undefined, 'null', new URL(this.config.SITE_URL).origin].includes(headers.origin);
  }
}

interface Posted {
  readonly path: string;
  readonly title: string;
  readonly thanks: string;
  readonly body: unknown;
}
