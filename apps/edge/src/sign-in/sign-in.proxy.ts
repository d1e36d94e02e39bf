import { Injectable } from '@nestjs/common';
import { type HeldRequest, type RateVerdict, serverOptions, trustedProxies } from '@stoa/platform';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';
import { buffer, text } from 'node:stream/consumers';
import { ResponsePadding } from '../proxy/response-padding.ts';
import { CookieNames } from '../proxy/cookie-names.ts';
import { answerPreflight, type CorsRule, shareWithSite } from '../proxy/cors.ts';
import { createReverseProxy, upstreamAgent } from '../proxy/reverse-proxy.ts';
import { EdgeConfig } from '../edge.config.ts';
import { forwardedHeaders, neverRetry, pickHeaders, withoutProxyHeaders } from '../proxy/forwarding.ts';
import {
  type Answer,
  pageRequestHeaders,
  fileRequestHeaders,
  type Forwarding,
  isAuthorization,
  isFile,
  isRegistration,
  actionTokenOf,
  formRequestHeaders,
  queryOf,
  type LogInAttempt,
} from './sign-in-request.ts';
import {
  accountOfForm,
  normalizeName,
  recipientOfForm,
  isBrowserGrant,
  withUnknownAccount,
  ownerOfTokens,
} from '../forms/posted-form.ts';
import { isAllowedLogIn } from '../forms/account-actions.ts';
import { EmailChangeCookies, emailChangePath } from '../forms/email-change.ts';
import {
  hasAllowedFields,
  isEmailForm,
  normalizeForm,
  type FormAddress,
  formAddress,
} from '../forms/form-rules.ts';
import { type LogInStep, LogInSteps, stepAllows, stepPageAddress } from '../forms/log-in-step.ts';
import { purposeOf, showPurpose, withPurpose } from '../forms/page-purpose.ts';
import { PasswordChanges } from '../accounts/password-changes.ts';
import { passwordSpellings } from '../forms/password-form.ts';
import { readForm, writeForm } from '../proxy/read-form.ts';
import { refuse, refuseGrant, refuseRateLimited, refuseUsedLink } from './refusal-page.ts';
import { SignInLimits } from './sign-in-limits.ts';
import { ReservedUsernames } from '../accounts/reserved-usernames.ts';
import { trySpellings } from '../forms/spelling-attempts.ts';
import { type SignInRoute, signInRoutes } from './sign-in.routes.ts';
import { completePageHeaders, pageHeaders } from './page-headers.ts';
import { withoutInlineScripts } from './page-scripts.ts';

/** Bytes. The largest form of Keycloak, which registers a passkey, has some kilobytes. */
const formBytes = 64 * 1024;

const answerMs = 30_000;

/** Seconds to wait if the edge has not yet read the events that a decision needs. */
const untilKnownSeconds = 5;

/** Form fields with a second factor. Posting one counts as an attempt at a code. */
const codeFields = ['otp', 'recoveryCodeInput', 'signature'];

/** Exposes only those pages and endpoints of Keycloak that browsers need to log in to the realm. */
@Injectable()
export class SignInProxy {
  readonly #config: EdgeConfig;
  readonly #limits: SignInLimits;
  readonly #passwords: PasswordChanges;
  readonly #reserved: ReservedUsernames;
  readonly #padding: ResponsePadding;
  readonly #cookies: CookieNames;
  readonly #steps: LogInSteps;
  readonly #emailCookies: EmailChangeCookies;
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
    this.#padding = new ResponsePadding(config.ANSWER_STEP_MS);
    this.#publicUrl = new URL(config.KEYCLOAK_URL);
    this.#cookies = new CookieNames(this.#publicUrl);
    this.#steps = new LogInSteps(config.DEVICE_KEY);
    this.#emailCookies = new EmailChangeCookies(config.DEVICE_KEY, this.#publicUrl);
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
      // Scripts and styles do not count against the limit, because browsers cache them.
      if (isFile(request)) return;
      const { allowed, retryAfter } = this.#limits.checkAddress('requests', request.ip);
      if (!allowed) return this.#refuseForNow(request, reply, retryAfter);
    });
    const parseAs = 'buffer';
    proxy.addContentTypeParser(
      // Only UTF-8. With another charset, Keycloak would decode other values than this proxy.
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
        if (isAuthorization(request) && !isAllowedLogIn(address.query))
          return this.#refuse(request, reply, 400);
        if (isEmailForm(address) && !this.#hasEmailCookie(request, address))
          return reply.redirect(emailChangePath(this.#config.KEYCLOAK_REALM, this.#site), 303);
        if (opensLink && this.#passwords.revokes(actionTokenOf(request)))
          return refuseUsedLink(request, reply, this.#config.SITE_URL);
        if (opensLink && !this.#passwords.isCaughtUp && this.#passwords.concerns(actionTokenOf(request)))
          return this.#refuseUntilKnown(request, reply);
        if (isRegistration(request) && this.#holdsSession(request)) {
          // At this address Keycloak would end an existing session, for example if a creator goes back to the sign-up.
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

  #hasEmailCookie({ headers }: FastifyRequest, { query }: FormAddress): boolean {
    return this.#emailCookies.isValid(query.get('tab_id'), headers.cookie);
  }

  #post(request: FastifyRequest, reply: FastifyReply, tries: SignInRoute['tries']): FastifyReply {
    const url = request.raw.url ?? '';
    const address = formAddress(url);
    const form = readForm(Buffer.isBuffer(request.body) ? request.body : '');
    // If a name is both in the address and in the form, Keycloak may use either value.
    const isDouble = form !== undefined && [...form.keys()].some((name) => address.query.has(name));
    if (!form || isDouble || !hasAllowedFields(address, form))
      return tries === 'tokens' ? refuseGrant(reply, 'invalid_request') : this.#refuse(request, reply, 400);
    const step = this.#steps.verify(url);
    // If the form has no valid mark, or fields that its step does not allow, Keycloak shows the page of the step again.
    const isAllowed = step !== undefined && stepAllows(step, form);
    if (address.action !== undefined && address.query.has('session_code') && !isAllowed)
      return reply.redirect(stepPageAddress(url), 303);
    normalizeForm(address, form);
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
    const ofAddress = this.#limits.checkAddress(tries, request.ip);
    if (!ofAddress.allowed) return this.#refuseForNow(request, reply, ofAddress.retryAfter);
    if (tries === 'logIns') return this.#logIn(request, reply, step);
    if (tries === 'resets') return this.#reset(request, reply);
    if (tries === 'tokens') return this.#token(request, reply);
    if (!this.#reserved.isCaughtUp) return this.#refuseUntilKnown(request, reply);
    return this.#forward(request, reply, this.#reserved.refuse(request.body));
  }

  /** Counts a log-in attempt. Without a step Keycloak only shows a page, so that a code in the form is no attempt. */
  #logIn(request: FastifyRequest, reply: FastifyReply, step?: LogInStep): FastifyReply {
    const begun = this.#padding.begin();
    const { cookie } = request.headers;
    const form = new URLSearchParams(String(request.body ?? ''));
    const account = normalizeName(step?.account ?? '') ?? accountOfForm(request.body);
    const holdsCode = codeFields.some((field) => form.has(field));
    const password = form.get('password');
    const tries: HeldRequest[] = [];
    if (step && holdsCode && account !== undefined)
      tries.push(this.#limits.holdCode(account, step.factor ?? account, cookie));
    if (typeof step?.account !== 'string' || password !== null) {
      const verdict = this.#limits.checkAccount(account, cookie);
      if (!verdict.allowed) return this.#refuseTry(request, reply, [...tries, verdict]);
      tries.push(this.#limits.holdPassword(account, cookie));
    }
    if (tries.some(({ allowed }) => !allowed)) return this.#refuseTry(request, reply, tries);
    const settle = async (location: string | undefined) => {
      const isRight = this.#isSuccess(location);
      for (const held of tries) held[isRight ? 'release' : 'count']();
      if (!this.#leavesKeycloak(location)) await this.#padding.until(begun);
    };
    const spellings = step && password !== null ? passwordSpellings(password) : [];
    if (spellings.length > 1) return this.#attempt(request, reply, { form, spellings, settle });
    return this.#forward(request, reply, { onAnswer: ({ headers }) => settle(headers.location) });
  }

  /**
   * Limits mails to new addresses by network and recipient, because a logged-in user can enter any address. Keycloak never
   * gets a form without a valid mark, so it does not count.
   */
  #nameAddress(request: FastifyRequest, reply: FastifyReply, step?: LogInStep): FastifyReply {
    const recipient = recipientOfForm(request.body);
    if (recipient === undefined) return this.#forward(request, reply);
    if (!step) return reply.redirect(stepPageAddress(request.raw.url ?? ''), 303);
    const ofAddress = this.#limits.checkAddress('resets', request.ip);
    if (!ofAddress.allowed) return this.#refuseForNow(request, reply, ofAddress.retryAfter);
    const { allowed, retryAfter } = this.#limits.checkMail(recipient, request.ip, request.headers.cookie);
    return allowed ? this.#forward(request, reply) : this.#refuseForNow(request, reply, retryAfter);
  }

  /** Tries all spellings of the password. They count as one attempt, and the browser gets one response. */
  #attempt(
    request: FastifyRequest,
    reply: FastifyReply,
    { form, spellings, settle }: LogInAttempt,
  ): FastifyReply {
    const forms = spellings.map((spelling) => {
      const spelt = new URLSearchParams(form);
      spelt.set('password', spelling);
      return spelt;
    });
    trySpellings(request.raw.url ?? '', forms, {
      upstream: this.#config.KEYCLOAK_INTERNAL_URL,
      agent: this.#agent,
      headers: {
        ...pickHeaders(request.headers, pageRequestHeaders),
        ...forwardedHeaders(request, this.#publicUrl),
      },
      cookie: this.#cookies.toUpstream(request.headers.cookie),
      isSuccess: (location) => this.#isSuccess(location),
    }).then(
      async ({ status, location, html, setCookies }) => {
        await settle(location);
        for (const cookie of setCookies) void reply.header('set-cookie', this.#cookies.toBrowser(cookie));
        void reply.code(status).header('cache-control', 'no-store');
        if (location !== undefined) return void reply.header('location', location).send();
        void reply.type('text/html; charset=utf-8').send(this.#finishPage(request, html));
      },
      (error: unknown) => void reply.send(error),
    );
    return reply;
  }

  #reset(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const begun = this.#padding.begin();
    const account = accountOfForm(request.body);
    // The page requests an address. With a username the proxy could not count mails per mailbox, so none is sent.
    const unsent =
      account?.includes('@') === false ||
      (account !== undefined && !this.#limits.checkMail(account, request.ip, request.headers.cookie).allowed);
    return this.#forward(request, reply, {
      ...(unsent && { body: withUnknownAccount(request.body as Buffer) }),
      onAnswer: () => this.#padding.until(begun),
    });
  }

  /** Refuses grant types that no browser uses, even if a client of the realm allows them. */
  #token(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    if (isBrowserGrant(request.body))
      return this.#forward(request, reply, { onAnswer: (answer) => this.#rememberBrowser(reply, answer) });
    return refuseGrant(reply, 'unsupported_grant_type');
  }

  /** Marks the browser as known to the account, because tokens are sent only after a complete log-in. */
  async #rememberBrowser(reply: FastifyReply, { stream }: Answer): Promise<Buffer> {
    const answer = await buffer(stream);
    const { names, provedAddress } = ownerOfTokens(answer);
    for (const name of names) void reply.header('set-cookie', this.#limits.deviceCookie(name));
    if (provedAddress !== undefined) void reply.header('set-cookie', this.#limits.mailCookie(provedAddress));
    return answer;
  }

  #holdsSession({ headers }: FastifyRequest): boolean {
    return /(?:^|; )KEYCLOAK_IDENTITY=/.test(this.#cookies.toUpstream(headers.cookie) ?? '');
  }

  /** Whether the redirect follows a successful log-in: to the site without an error, or to a required action. */
  #isSuccess(location: string | undefined): boolean {
    if (location === undefined) return false;
    if (this.#leavesKeycloak(location)) return !/[?#&]error=/.test(location);
    return formAddress(location).action === 'required-action';
  }

  #leavesKeycloak(location: string | undefined): boolean {
    return location !== undefined && new URL(location, this.#publicUrl).origin !== this.#publicUrl.origin;
  }

  #rewriteHeaders(headers: IncomingHttpHeaders, isFile: boolean): IncomingHttpHeaders {
    const { 'set-cookie': set, ...rest } = completePageHeaders(withoutProxyHeaders(headers), isFile);
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

  /** Refuses an attempt and releases its reservations, so that it does not count against the other limits. */
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
    const read = ofFile ? fileRequestHeaders : pageRequestHeaders;
    const given = pickHeaders(request.headers, request.method === 'POST' ? formRequestHeaders : read);
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
      rewriteHeaders: (headers) => this.#rewriteHeaders(withPurpose(actionTokenOf(request), headers), ofFile),
      ...(!ofFile && {
        onResponse: (_request, _reply, response) => {
          const answer = response as unknown as Answer;
          Promise.resolve(onAnswer?.(answer))
            .then(async (read) => read ?? (await this.#readPage(request, reply, answer, edit)))
            .then(
              (read) => reply.send(read),
              (error: unknown) => reply.send(error),
            );
        },
      }),
    });
  }

  /** The body for the browser. HTML pages are changed; other content is streamed. */
  async #readPage(
    request: FastifyRequest,
    reply: FastifyReply,
    { headers, stream }: Answer,
    edit = (html: string) => html,
  ): Promise<string | NodeJS.ReadableStream> {
    if (!headers['content-type']?.startsWith('text/html')) return stream;
    const page = edit(await text(stream));
    const asksForEmail = new URLSearchParams(queryOf(request)).get('kc_action') === 'UPDATE_EMAIL';
    const begun = isAuthorization(request) && asksForEmail ? this.#emailCookies.issue(page) : undefined;
    if (begun !== undefined) void reply.header('set-cookie', begun);
    return this.#finishPage(request, page);
  }

  /** Removes inline scripts, shows the text for the purpose and marks the forms. The mark passes the purpose on. */
  #finishPage(request: FastifyRequest, html: string): string {
    const purpose =
      purposeOf(new URLSearchParams(queryOf(request))) ?? this.#steps.verify(request.raw.url ?? '')?.purpose;
    return this.#steps.mark(showPurpose(withoutInlineScripts(html), purpose), purpose);
  }
}
