import { contact, creators, paths, problemStatus } from '@stoa/contracts';
import { Bus, Refusal } from '@stoa/messaging';
import { Body, Controller, Header, Ip, Param, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../auth/access.decorator.ts';
import { html, type Html } from '../http/html.ts';
import { Limited } from '../http/rate-limits.ts';
import {
  failed,
  plainContactForm,
  type PlainText,
  readPlainMessage,
  toMessage,
  toText,
} from './plain-contact-form.ts';
import { staticPages, unlistedPage } from './static-pages.ts';
import { WebApp } from './web-app.ts';

/** The forms of public pages for browsers without scripts; the web app sends the same messages to the API. */
@Controller()
@ApiExcludeController()
export class PlainFormsController {
  constructor(
    private readonly web: WebApp,
    private readonly bus: Bus,
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
    send: (text: PlainText) => Promise<unknown>,
  ): Promise<void> {
    if (!isFromSite(request)) throw new Refusal('forbidden', 'The form belongs to a page of this site.');
    const values = readPlainMessage(body);
    const read = toText(values);
    const answer = async (status: number, content: Html) => {
      const head = staticPages.get(path) ?? unlistedPage(path);
      if (!head) throw new Refusal('not_found', 'There is nothing here.');
      const page = await this.web.page(head, path, { withoutScripts: html`<h1>${title}</h1>${content}` });
      await reply.code(status).type('text/html; charset=utf-8').send(page);
    };
    if ('errors' in read)
      return answer(400, plainContactForm(path, { values, errors: read.errors, failure: failed }));
    try {
      await send(read.text);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code === 'internal') throw error;
      const failure = `${failed} ${error.code === 'unavailable' ? '' : error.message}`.trim();
      return answer(problemStatus[error.code], plainContactForm(path, { values, failure }));
    }
    await answer(200, html`<p role="status">${thanks}</p><p><a href="/">Stoa</a></p>`);
  }
}

interface Posted {
  readonly path: string;
  readonly title: string;
  readonly thanks: string;
  readonly body: unknown;
}

/**
 * Whether a browser posts a form of this site's own pages, which send no referrer and so no origin either. A program names
 * neither, and posts for nobody but itself.
 */
const isFromSite = ({ headers }: FastifyRequest): boolean =>
  headers['sec-fetch-site'] === 'same-origin' ||
  (headers['sec-fetch-site'] === undefined && headers.origin === undefined);
