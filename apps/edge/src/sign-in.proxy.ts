import { Injectable } from '@nestjs/common';
import { serverCertificate, trustedProxies } from '@stoa/platform';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { ResponsePadding } from './response-padding.ts';
import { CookieNames } from './cookie-names.ts';
import { answerPreflight, type CorsRule, shareWithSite } from './cors.ts';
import { createReverseProxy } from './reverse-proxy.ts';
import { EdgeConfig } from './edge.config.ts';
import { forwardedHeaders, neverRetry, pickHeaders, withoutProxyHeaders } from './forwarding.ts';
import {
  accountOfForm,
  recipientOfForm,
  browserGrant,
  withUnknownAccount,
  loginNamesOfTokens,
} from './posted-form.ts';
import { PasswordChanges } from './password-changes.ts';
import { refuse, refuseRateLimited, refuseUsedLink } from './refusal-page.ts';
import { SignInLimits } from './sign-in-limits.ts';
import { type SignInRoute, signInRoutes } from './sign-in.routes.ts';
import { completePageHeaders, pageHeaders } from './page-headers.ts';

/** The longest legitimate form is a registration of a passkey, some kilobytes. */
const formBytes = 64 * 1024;

const asked = [
  'accept',
  'accept-encoding',
  'accept-language',
  'if-modified-since',
  'if-none-match',
  'origin',
  'referer',
  'traceparent',
  'user-agent',
];
const posted = [...asked, 'content-type', 'content-length'];

/** It is read within moments once NATS is there. */
const untilKnownSeconds = 5;

const keyOf = ({ raw }: FastifyRequest) =>
  new URLSearchParams((raw.url ?? '').split(/\?(.*)/s)[1]).get('key');
const isRegistration = ({ routeOptions }: FastifyRequest) =>
  routeOptions.url?.endsWith('/openid-connect/registrations') ?? false;
const isFile = ({ raw }: FastifyRequest) => raw.url?.startsWith('/resources/') ?? false;

/** As much as is read of what the upstream answered. */
interface Answer {
  readonly headers: { readonly location?: string };
  readonly stream: NodeJS.ReadableStream;
}

/** Keycloak as browsers may use it: the pages and endpoints that signing in to the one realm takes. */
@Injectable()
export class SignInProxy {
  readonly #config: EdgeConfig;
  readonly #limits: SignInLimits;
  readonly #passwords: PasswordChanges;
  readonly #hold: ResponsePadding;
  readonly #cookies: CookieNames;
  readonly #publicUrl: URL;
  readonly #site: string;

  constructor(config: EdgeConfig, limits: SignInLimits, passwords: PasswordChanges) {
    this.#config = config;
    this.#limits = limits;
    this.#passwords = passwords;
    this.#hold = new ResponsePadding(config.ANSWER_STEP_MS);
    this.#publicUrl = new URL(config.KEYCLOAK_URL);
    this.#cookies = new CookieNames(this.#publicUrl);
    this.#site = new URL(config.SITE_URL).origin;
  }

  async build(): Promise<FastifyInstance> {
    const { KEYCLOAK_INTERNAL_URL, KEYCLOAK_REALM } = this.#config;
    const proxy = await createReverseProxy({
      name: SignInProxy.name,
      upstream: KEYCLOAK_INTERNAL_URL,
      trustProxy: trustedProxies(this.#config),
      certificate: serverCertificate(this.#config),
      requestMs: 30_000,
      answerMs: 30_000,
      headers: pageHeaders(this.#publicUrl, this.#site),
      refuse: (request, reply, status) => this.#refuse(request, reply, status),
    });
    proxy.addHook('onRequest', async (request, reply) => {
      // Scripts and styles are files that browsers keep.
      if (isFile(request)) return;
      const { allowed, retryAfter } = this.#limits.byAddress('requests', request.ip);
      if (!allowed) return this.#refuseForNow(request, reply, retryAfter);
    });
    const parseAs = 'buffer';
    proxy.addContentTypeParser(
      // Keycloak reads a form by the character set that its sender names: in another one than ours it would read other names.
      /^application\/x-www-form-urlencoded\s*(?:;\s*charset="?utf-8"?\s*)?$/i,
      { parseAs, bodyLimit: formBytes },
      (_request, body, done) => done(null, body),
    );
    for (const route of signInRoutes(KEYCLOAK_REALM)) this.#open(proxy, route);
    return proxy;
  }

  #open(proxy: FastifyInstance, { url, methods, sharedWithSite, tries, opensLink }: SignInRoute): void {
    const rule: CorsRule | undefined = sharedWithSite && {
      origin: this.#site,
      method: sharedWithSite,
      credentials: true,
    };
    proxy.route({
      method: methods as HTTPMethods[],
      url,
      handler: (request, reply) => {
        if (rule) shareWithSite(request, reply, rule);
        if (opensLink && this.#passwords.revokes(keyOf(request)))
          return refuseUsedLink(request, reply, this.#config.SITE_URL);
        if (opensLink && !this.#passwords.areKnown && this.#passwords.concern(keyOf(request)))
          return this.#refuse(request, reply.header('retry-after', String(untilKnownSeconds)), 503);
        if (isRegistration(request) && this.#holdsSession(request)) {
          // Keycloak would end the session of a creator who goes back to this page after signing up.
          return reply.redirect((request.raw.url ?? '').replace('/registrations?', '/auth?'), 302);
        }
        return tries && request.method === 'POST'
          ? this.#try(request, reply, tries)
          : this.#forward(request, reply);
      },
    });
    if (rule)
      proxy.options(
        url,
        (request, reply) => answerPreflight(request, reply, rule) ?? this.#refuse(request, reply, 403),
      );
  }

  #try(request: FastifyRequest, reply: FastifyReply, tries: NonNullable<SignInRoute['tries']>): FastifyReply {
    if (tries === 'addresses') return this.#nameAddress(request, reply);
    const ofAddress = this.#limits.byAddress(tries, request.ip);
    if (!ofAddress.allowed) return this.#refuseForNow(request, reply, ofAddress.retryAfter);
    if (tries === 'logIns') return this.#logIn(request, reply);
    if (tries === 'resets') return this.#reset(request, reply);
    if (tries === 'tokens') return this.#token(request, reply);
    return this.#forward(request, reply);
  }

  #logIn(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const begun = this.#hold.begin();
    const account = accountOfForm(request.body);
    const { allowed, retryAfter } = this.#limits.ofAccount(account, request.headers.cookie);
    if (!allowed) return this.#refuseForNow(request, reply, retryAfter);
    return this.#forward(request, reply, {
      onAnswer: async (answer) => {
        if (!this.#leadsAway(answer)) await this.#hold.until(begun);
      },
    });
  }

  /** A signed-in creator may have a link mailed to any address, so such mails are limited per address. */
  #nameAddress(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const recipient = recipientOfForm(request.body);
    if (recipient === undefined) return this.#forward(request, reply);
    const { allowed, retryAfter } = this.#limits.ofMail(recipient, request.ip, request.headers.cookie);
    return allowed ? this.#forward(request, reply) : this.#refuseForNow(request, reply, retryAfter);
  }

  #reset(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const begun = this.#hold.begin();
    const account = accountOfForm(request.body);
    const unsent =
      account !== undefined && !this.#limits.ofMail(account, request.ip, request.headers.cookie).allowed;
    return this.#forward(request, reply, {
      ...(unsent && { body: withUnknownAccount(request.body as Buffer) }),
      onAnswer: () => this.#hold.until(begun),
    });
  }

  /** Grants of programs stay inside, whatever a client of the realm may be allowed one day. */
  #token(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const body = browserGrant(request.body);
    if (body) return this.#forward(request, reply, { body, onAnswer: (answer) => this.#know(reply, answer) });
    // In the words of OAuth (RFC 6749).
    return reply.code(400).header('cache-control', 'no-store').send({ error: 'unsupported_grant_type' });
  }

  /** Who gets tokens has logged in with this browser, by whatever factors it took: it is known to the account from now on. */
  async #know(reply: FastifyReply, { stream }: Answer): Promise<Buffer> {
    const answer = await buffer(stream);
    for (const name of loginNamesOfTokens(answer))
      void reply.header('set-cookie', this.#limits.deviceCookie(name));
    return answer;
  }

  #holdsSession({ headers }: FastifyRequest): boolean {
    return /(?:^|; )KEYCLOAK_IDENTITY=/.test(this.#cookies.toUpstream(headers.cookie) ?? '');
  }

  #leadsAway({ headers: { location } }: Answer): boolean {
    return location !== undefined && new URL(location, this.#publicUrl).origin !== this.#publicUrl.origin;
  }

  #dressed(headers: IncomingHttpHeaders, isFile: boolean): IncomingHttpHeaders {
    const { 'set-cookie': set, ...rest } = completePageHeaders(withoutProxyHeaders(headers), isFile);
    // One cookie alone comes as a text.
    return set
      ? { ...rest, 'set-cookie': [set].flat().map((cookie) => this.#cookies.toBrowser(cookie)) }
      : rest;
  }

  #refuse(request: FastifyRequest, reply: FastifyReply, status: number): FastifyReply {
    return refuse(request, reply, status, this.#config.SITE_URL);
  }

  #refuseForNow(request: FastifyRequest, reply: FastifyReply, retryAfter: number): FastifyReply {
    return refuseRateLimited(request, reply, retryAfter, this.#config.SITE_URL);
  }

  #forward(
    request: FastifyRequest,
    reply: FastifyReply,
    { body, onAnswer }: { body?: Buffer; onAnswer?: (answer: Answer) => Promise<Buffer | void> } = {},
  ): FastifyReply {
    const given = pickHeaders(request.headers, request.method === 'POST' ? posted : asked);
    const cookie = this.#cookies.toUpstream(request.headers.cookie);
    return reply.from(undefined, {
      retryDelay: neverRetry,
      ...(body && { body, contentType: 'application/x-www-form-urlencoded' }),
      rewriteRequestHeaders: () => ({
        ...given,
        ...(cookie && { cookie }),
        ...(body && { 'content-length': String(body.length) }),
        ...forwardedHeaders(request, this.#publicUrl),
      }),
      rewriteHeaders: (headers) => this.#dressed(headers, isFile(request)),
      ...(onAnswer && {
        onResponse: (_request, _reply, response) => {
          const answer = response as unknown as Answer;
          onAnswer(answer).then(
            (read) => reply.send(read ?? answer.stream),
            (error: unknown) => reply.send(error),
          );
        },
      }),
    });
  }
}
