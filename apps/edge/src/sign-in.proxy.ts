import { Injectable } from '@nestjs/common';
import { type HeldRequest, type RateVerdict, serverOptions, trustedProxies } from '@stoa/platform';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';
import { buffer, text } from 'node:stream/consumers';
import { ResponsePadding } from './response-padding.ts';
import { CookieNames } from './cookie-names.ts';
import { answerPreflight, type CorsRule, shareWithSite } from './cors.ts';
import { createReverseProxy, upstreamAgent } from './reverse-proxy.ts';
import { EdgeConfig } from './edge.config.ts';
import { forwardedHeaders, neverRetry, pickHeaders, withoutProxyHeaders } from './forwarding.ts';
import {
  type Answer,
  asked,
  askedOfFiles,
  type Forwarding,
  isBeginning,
  isFile,
  isRegistration,
  keyOf,
  posted,
  queryOf,
  type SpeltLogIn,
} from './sign-in-request.ts';
import {
  accountOfForm,
  asNamed,
  recipientOfForm,
  isBrowserGrant,
  withUnknownAccount,
  ownerOfTokens,
} from './posted-form.ts';
import { mayBegin } from './asked-action.ts';
import { EmailChanges, emailChangePath } from './email-change.ts';
import { belongsThere, changesEmail, completeForm, type FormAddress, formAddress } from './form-rules.ts';
import { type LogInStep, LogInSteps, pageOfStep } from './log-in-step.ts';
import { purposeOf, showPurpose, withPurpose } from './page-purpose.ts';
import { PasswordChanges } from './password-changes.ts';
import { spellingsOf } from './password-form.ts';
import { readForm, writeForm } from './read-form.ts';
import { refuse, refuseRateLimited, refuseUsedLink } from './refusal-page.ts';
import { SignInLimits } from './sign-in-limits.ts';
import { ReservedUsernames } from './reserved-usernames.ts';
import { attemptEach } from './spelling-attempts.ts';
import { type SignInRoute, signInRoutes } from './sign-in.routes.ts';
import { completePageHeaders, pageHeaders } from './page-headers.ts';
import { withoutInlineScripts } from './page-scripts.ts';

/** The longest legitimate form is a registration of a passkey, some kilobytes. */
const formBytes = 64 * 1024;

const answerMs = 30_000;

/** It is read within moments once NATS is there. */
const untilKnownSeconds = 5;

/** What a log-in form can be guessed right with, apart from passkeys, which cannot. */
const codeFields = ['otp', 'recoveryCodeInput', 'signature'];

/** Keycloak as browsers may use it: the pages and endpoints that signing in to the one realm takes. */
@Injectable()
export class SignInProxy {
  readonly #config: EdgeConfig;
  readonly #limits: SignInLimits;
  readonly #passwords: PasswordChanges;
  readonly #reserved: ReservedUsernames;
  readonly #hold: ResponsePadding;
  readonly #cookies: CookieNames;
  readonly #steps: LogInSteps;
  readonly #emailChanges: EmailChanges;
  readonly #agent = upstreamAgent(answerMs);
  readonly #publicUrl: URL;
  readonly #site: string;

  constructor(
    config: EdgeConfig,
    limits: SignInLimits,
    passwords: PasswordChanges,
    reserved: ReservedUsernames,
  ) {
    this.#config = config;
    this.#limits = limits;
    this.#passwords = passwords;
    this.#reserved = reserved;
    this.#hold = new ResponsePadding(config.ANSWER_STEP_MS);
    this.#publicUrl = new URL(config.KEYCLOAK_URL);
    this.#cookies = new CookieNames(this.#publicUrl);
    this.#steps = new LogInSteps(config.DEVICE_KEY);
    this.#emailChanges = new EmailChanges(config.DEVICE_KEY, this.#publicUrl);
    this.#site = new URL(config.SITE_URL).origin;
  }

  async build(): Promise<FastifyInstance> {
    const { KEYCLOAK_INTERNAL_URL, KEYCLOAK_REALM } = this.#config;
    const proxy = await createReverseProxy({
      name: SignInProxy.name,
      upstream: KEYCLOAK_INTERNAL_URL,
      trustProxy: trustedProxies(this.#config),
      server: serverOptions(this.#config),
      requestMs: 30_000,
      answerMs,
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
    proxy.addHook('onClose', () => this.#agent.close());
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
        const address = formAddress(request.raw.url ?? '');
        if (isBeginning(request) && !mayBegin(address.query)) return this.#refuse(request, reply, 400);
        if (changesEmail(address) && !this.#isEmailChange(request, address))
          return reply.redirect(emailChangePath(this.#config.KEYCLOAK_REALM, this.#site), 303);
        if (opensLink && this.#passwords.revokes(keyOf(request)))
          return refuseUsedLink(request, reply, this.#config.SITE_URL);
        if (opensLink && !this.#passwords.areKnown && this.#passwords.concern(keyOf(request)))
          return this.#refuseUntilKnown(request, reply);
        if (isRegistration(request) && this.#holdsSession(request)) {
          // Keycloak would end the session of a creator who goes back to this page after signing up.
          return reply.redirect((request.raw.url ?? '').replace(/\/registrations(?=\?|$)/, '/auth'), 302);
        }
        return request.method === 'POST' ? this.#post(request, reply, tries) : this.#forward(request, reply);
      },
    });
    if (rule)
      proxy.options(
        url,
        (request, reply) => answerPreflight(request, reply, rule) ?? this.#refuse(request, reply, 403),
      );
  }

  #isEmailChange({ headers }: FastifyRequest, { query }: FormAddress): boolean {
    return this.#emailChanges.includes(query.get('tab_id'), headers.cookie);
  }

  #post(request: FastifyRequest, reply: FastifyReply, tries: SignInRoute['tries']): FastifyReply {
    const url = request.raw.url ?? '';
    const address = formAddress(url);
    const form = readForm(Buffer.isBuffer(request.body) ? request.body : '');
    // A name in the address and in the form leaves open which of them Keycloak takes.
    const isDouble = form !== undefined && [...form.keys()].some((name) => address.query.has(name));
    if (!form || isDouble || !belongsThere(address, form))
      return tries === 'tokens' ? refuseGrant(reply, 'invalid_request') : this.#refuse(request, reply, 400);
    const step = this.#steps.of(url);
    // A form of a page that was not marked here: its page is shown anew.
    if (address.action !== undefined && address.query.has('session_code') && !step)
      return reply.redirect(pageOfStep(url), 303);
    completeForm(address, form);
    request.body = Buffer.from(writeForm(form));
    return tries ? this.#try(request, reply, tries, step) : this.#forward(request, reply);
  }

  #try(
    request: FastifyRequest,
    reply: FastifyReply,
    tries: NonNullable<SignInRoute['tries']>,
    step?: LogInStep,
  ): FastifyReply {
    if (tries === 'addresses') return this.#nameAddress(request, reply, step);
    const ofAddress = this.#limits.byAddress(tries, request.ip);
    if (!ofAddress.allowed) return this.#refuseForNow(request, reply, ofAddress.retryAfter);
    if (tries === 'logIns') return this.#logIn(request, reply, step);
    if (tries === 'resets') return this.#reset(request, reply);
    if (tries === 'tokens') return this.#token(request, reply);
    if (!this.#reserved.areKnown) return this.#refuseUntilKnown(request, reply);
    return this.#forward(request, reply, this.#reserved.refuse(request.body));
  }

  /** Without a step Keycloak takes no try: it shows a page. */
  #logIn(request: FastifyRequest, reply: FastifyReply, step?: LogInStep): FastifyReply {
    const begun = this.#hold.begin();
    const { cookie } = request.headers;
    const form = new URLSearchParams(String(request.body ?? ''));
    const account = asNamed(step?.account ?? '') ?? accountOfForm(request.body);
    const holdsCode = codeFields.some((field) => form.has(field));
    const password = form.get('password');
    const tries: HeldRequest[] = [];
    if (step && holdsCode && account !== undefined)
      tries.push(this.#limits.ofCode(account, step.factor ?? account, cookie));
    if (typeof step?.account !== 'string' || password !== null) {
      const verdict = this.#limits.ofAccount(account, cookie);
      if (!verdict.allowed) return this.#refuseTry(request, reply, [...tries, verdict]);
      tries.push(this.#limits.ofAccountAndDay(account, cookie));
    }
    if (tries.some(({ allowed }) => !allowed)) return this.#refuseTry(request, reply, tries);
    const settle = async (location: string | undefined) => {
      const isRight = this.#leadsOn(location);
      for (const held of tries) held[isRight ? 'release' : 'count']();
      if (!this.#leadsAway(location)) await this.#hold.until(begun);
    };
    const spellings = step && password !== null ? spellingsOf(password) : [];
    if (spellings.length > 1) return this.#attempt(request, reply, { form, spellings, settle });
    return this.#forward(request, reply, { onAnswer: ({ headers }) => settle(headers.location) });
  }

  /**
   * A signed-in creator may have a link mailed to any address, so such mails are limited by network and by recipient. Only
   * the form of a page that Keycloak showed after a log-in counts: Keycloak takes no other.
   */
  #nameAddress(request: FastifyRequest, reply: FastifyReply, step?: LogInStep): FastifyReply {
    const recipient = recipientOfForm(request.body);
    if (recipient === undefined) return this.#forward(request, reply);
    if (!step) return reply.redirect(pageOfStep(request.raw.url ?? ''), 303);
    const ofAddress = this.#limits.byAddress('resets', request.ip);
    if (!ofAddress.allowed) return this.#refuseForNow(request, reply, ofAddress.retryAfter);
    const { allowed, retryAfter } = this.#limits.ofMail(recipient, request.ip, request.headers.cookie);
    return allowed ? this.#forward(request, reply) : this.#refuseForNow(request, reply, retryAfter);
  }

  /** Tries a password in each spelling that an account may have kept: for one try, and with one answer. */
  #attempt(
    request: FastifyRequest,
    reply: FastifyReply,
    { form, spellings, settle }: SpeltLogIn,
  ): FastifyReply {
    const forms = spellings.map((spelling) => {
      const spelt = new URLSearchParams(form);
      spelt.set('password', spelling);
      return spelt;
    });
    attemptEach(request.raw.url ?? '', forms, {
      upstream: this.#config.KEYCLOAK_INTERNAL_URL,
      agent: this.#agent,
      headers: { ...pickHeaders(request.headers, asked), ...forwardedHeaders(request, this.#publicUrl) },
      cookie: this.#cookies.toUpstream(request.headers.cookie),
      leadsOn: (location) => this.#leadsOn(location),
    }).then(
      async ({ status, location, html, setCookies }) => {
        await settle(location);
        for (const cookie of setCookies) void reply.header('set-cookie', this.#cookies.toBrowser(cookie));
        void reply.code(status).header('cache-control', 'no-store');
        if (location !== undefined) return void reply.header('location', location).send();
        void reply.type('text/html; charset=utf-8').send(this.#dressedPage(request, html));
      },
      (error: unknown) => void reply.send(error),
    );
    return reply;
  }

  #reset(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const begun = this.#hold.begin();
    const account = accountOfForm(request.body);
    // The page asks for an address. By the name of an account its mails could not be counted by their mailbox.
    const unsent =
      account?.includes('@') === false ||
      (account !== undefined && !this.#limits.ofMail(account, request.ip, request.headers.cookie).allowed);
    return this.#forward(request, reply, {
      ...(unsent && { body: withUnknownAccount(request.body as Buffer) }),
      onAnswer: () => this.#hold.until(begun),
    });
  }

  /** Grants of programs stay inside, whatever a client of the realm may be allowed one day. */
  #token(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    if (isBrowserGrant(request.body))
      return this.#forward(request, reply, { onAnswer: (answer) => this.#know(reply, answer) });
    return refuseGrant(reply, 'unsupported_grant_type');
  }

  /** Who gets tokens has logged in with this browser, by whatever factors it took: it is known to the account from now on. */
  async #know(reply: FastifyReply, { stream }: Answer): Promise<Buffer> {
    const answer = await buffer(stream);
    const { names, provedAddress } = ownerOfTokens(answer);
    for (const name of names) void reply.header('set-cookie', this.#limits.deviceCookie(name));
    if (provedAddress !== undefined) void reply.header('set-cookie', this.#limits.mailCookie(provedAddress));
    return answer;
  }

  #holdsSession({ headers }: FastifyRequest): boolean {
    return /(?:^|; )KEYCLOAK_IDENTITY=/.test(this.#cookies.toUpstream(headers.cookie) ?? '');
  }

  /** Whether an answer ends a log-in well: at the site, or at what Keycloak asks for after it. */
  #leadsOn(location: string | undefined): boolean {
    if (location === undefined) return false;
    if (this.#leadsAway(location)) return !/[?#&]error=/.test(location);
    return /\/login-actions\/required-action(\?|$)/.test(location);
  }

  #leadsAway(location: string | undefined): boolean {
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

  #refuseUntilKnown(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    return this.#refuse(request, reply.header('retry-after', String(untilKnownSeconds)), 503);
  }

  /** A try that one limit refuses counts for none. */
  #refuseTry(request: FastifyRequest, reply: FastifyReply, tries: readonly RateVerdict[]): FastifyReply {
    for (const held of tries) if ('release' in held) (held as HeldRequest).release();
    return this.#refuseForNow(request, reply, Math.max(...tries.map(({ retryAfter }) => retryAfter)));
  }

  #refuseForNow(request: FastifyRequest, reply: FastifyReply, retryAfter: number): FastifyReply {
    return refuseRateLimited(request, reply, retryAfter, this.#config.SITE_URL);
  }

  #forward(
    request: FastifyRequest,
    reply: FastifyReply,
    { body, onAnswer, edit }: Forwarding = {},
  ): FastifyReply {
    const ofFile = isFile(request);
    const read = ofFile ? askedOfFiles : asked;
    const given = pickHeaders(request.headers, request.method === 'POST' ? posted : read);
    const sent = body ?? (Buffer.isBuffer(request.body) ? request.body : undefined);
    const cookie = this.#cookies.toUpstream(request.headers.cookie);
    return reply.from(undefined, {
      retryDelay: neverRetry,
      ...(sent && { body: sent, contentType: 'application/x-www-form-urlencoded' }),
      rewriteRequestHeaders: () => ({
        ...given,
        ...(cookie && { cookie }),
        ...(sent && { 'content-length': String(sent.length) }),
        ...forwardedHeaders(request, this.#publicUrl),
      }),
      rewriteHeaders: (headers) => this.#dressed(withPurpose(keyOf(request), headers), ofFile),
      ...(!ofFile && {
        onResponse: (_request, _reply, response) => {
          const answer = response as unknown as Answer;
          Promise.resolve(onAnswer?.(answer))
            .then(async (read) => read ?? (await this.#marked(request, reply, answer, edit)))
            .then(
              (read) => reply.send(read),
              (error: unknown) => reply.send(error),
            );
        },
      }),
    });
  }

  /** An answer as browsers get it: the forms of a page say which step they belong to. */
  async #marked(
    request: FastifyRequest,
    reply: FastifyReply,
    { headers, stream }: Answer,
    edit = (html: string) => html,
  ): Promise<string | NodeJS.ReadableStream> {
    if (!headers['content-type']?.startsWith('text/html')) return stream;
    const page = edit(await text(stream));
    const asksForEmail = new URLSearchParams(queryOf(request)).get('kc_action') === 'UPDATE_EMAIL';
    const begun = isBeginning(request) && asksForEmail ? this.#emailChanges.begin(page) : undefined;
    if (begun !== undefined) void reply.header('set-cookie', begun);
    return this.#dressedPage(request, page);
  }

  /** A page without scripts of its own, with the words for its purpose, which each of its steps keeps. */
  #dressedPage(request: FastifyRequest, html: string): string {
    const purpose =
      purposeOf(new URLSearchParams(queryOf(request))) ?? this.#steps.of(request.raw.url ?? '')?.purpose;
    return this.#steps.mark(showPurpose(withoutInlineScripts(html), purpose), purpose);
  }
}

/** In the words of OAuth (RFC 6749, 5.2). */
const refuseGrant = (reply: FastifyReply, error: string) =>
  reply.code(400).header('cache-control', 'no-store').send({ error });
