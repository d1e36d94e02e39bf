import { exportFolder, limits, withdrawalFolder } from '@stoa/contracts';
import {
  closedPolicy,
  serverOptions,
  securityHeaders,
  subscriberNetwork,
  trustedProxies,
} from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyReplyFromHooks } from '@fastify/reply-from';
import { answerPreflight, type CorsRule, shareWithSite } from './cors.ts';
import { createReverseProxy } from './reverse-proxy.ts';
import { EdgeConfig } from './edge.config.ts';
import { forwardedHeaders, neverRetry, pickHeaders, withoutProxyHeaders } from './forwarding.ts';
import { partHeaders } from './byte-range.ts';
import { isSignedQuery } from './signed-query.ts';
import { problem } from './problem.ts';
import { keyOfForm } from './upload-form.ts';
import { UsedForms } from './used-forms.ts';
import { Withdrawals } from './withdrawals.ts';

/** Uploads that one subscriber may have under way; a page sends three at most, and many people may share an address. */
const uploadsAtOnce = 24;
/**
 * A public picture is stored by browsers and caches, and asked for again each time: the answer is 304 without a body as long as
 * it may be shown. Any other lifetime would show what is hidden to visitors who had nothing of it before.
 */
const askAgain = 'public, no-cache';

type Answer = Parameters<NonNullable<FastifyReplyFromHooks['onResponse']>>[2];

interface Forwarded {
  /** The headers of the request that go along. */
  readonly names: readonly string[];
  readonly query?: string;
  /** Headers of the request that go along beside those. */
  readonly more?: Record<string, string>;
  /** Headers of the answer in place of those of the store. */
  readonly headers?: Record<string, string>;
  readonly answered?: (answer: Answer) => void;
}

/** A form's fields and boundaries, without its file. */
const formBytes = limits.offeringFileBytes + 1024 * 1024;

const asked = [
  'accept',
  'accept-encoding',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-unmodified-since',
  'traceparent',
  'user-agent',
];
const posted = ['accept', 'content-length', 'content-type', 'traceparent', 'user-agent'];

/**
 * The object store as browsers may use it: post a form to staging, read what is public, save a file with a signed link.
 * The store itself is asked for nothing else, whatever a request is signed with.
 */
@Injectable()
export class MediaProxy {
  readonly #config: EdgeConfig;
  readonly #publicUrl: URL;
  readonly #upload: CorsRule;
  readonly #read: CorsRule;
  readonly #uploads = new Map<string, number>();
  readonly #withdrawals: Withdrawals;
  readonly #usedForms: UsedForms;

  constructor(config: EdgeConfig, usedForms: UsedForms) {
    this.#config = config;
    this.#withdrawals = new Withdrawals(config);
    this.#usedForms = usedForms;
    this.#publicUrl = new URL(config.S3_PUBLIC_ENDPOINT);
    const site = { origin: new URL(config.SITE_URL).origin, credentials: false };
    this.#upload = { ...site, method: 'POST' };
    this.#read = { ...site, method: 'GET' };
  }

  async build(): Promise<FastifyInstance> {
    const { S3_ENDPOINT, S3_STAGING_BUCKET, S3_PUBLIC_BUCKET, S3_FILES_BUCKET } = this.#config;
    const proxy = await createReverseProxy({
      name: MediaProxy.name,
      upstream: S3_ENDPOINT,
      trustProxy: trustedProxies(this.#config),
      server: serverOptions(this.#config),
      // 200 MB over 1 Mbit/s.
      requestMs: 30 * 60_000,
      answerMs: 60_000,
      headers: {
        ...securityHeaders({
          https: this.#publicUrl.protocol === 'https:',
          policy: { ...closedPolicy, sandbox: [] },
        }),
        'cross-origin-resource-policy': 'cross-origin',
      },
      // To a stranger what is not there and what is not allowed are one, as S3 has it.
      refuse: (_request, reply, status) => problem(reply, status === 404 ? 403 : status),
    });
    // Passed on as it comes, never held.
    proxy.addContentTypeParser('multipart/form-data', (_request, payload, done) => done(null, payload));
    proxy.addHook('onRequest', async ({ headers }, reply) => {
      if (Object.keys(headers).some(isOfTheStore)) return problem(reply, 403);
    });

    for (const url of [`/${S3_STAGING_BUCKET}`, `/${S3_STAGING_BUCKET}/`]) {
      proxy.post(url, { onRequest: refuseUnboundedForm }, (request, reply) => this.#post(request, reply));
      proxy.options(
        url,
        (request, reply) => answerPreflight(request, reply, this.#upload) ?? problem(reply, 403),
      );
    }
    const reading = { method: ['GET', 'HEAD'] };
    proxy.route({
      ...reading,
      url: `/${S3_PUBLIC_BUCKET}/*`,
      handler: (request, reply) => this.#show(request, reply, '', { 'cache-control': askAgain }),
    });
    proxy.route({
      ...reading,
      url: `/${S3_FILES_BUCKET}/*`,
      handler: (request, reply) => {
        const [, query = ''] = (request.raw.url ?? '').split(/\?(.*)/s);
        if (!isSignedQuery(query)) return problem(reply, 403);
        void reply.header('cross-origin-resource-policy', 'same-origin');
        return this.#show(request, reply, query);
      },
    });
    return proxy;
  }

  async #post(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    shareWithSite(request, reply, this.#upload);
    // A body that trickles in holds a connection to the store for as long as it likes.
    const network = subscriberNetwork(request.ip);
    const under = (this.#uploads.get(network) ?? 0) + 1;
    if (under > uploadsAtOnce) return problem(reply.header('retry-after', '30'), 429);
    this.#uploads.set(network, under);
    request.raw.once('close', () => this.#ended(network));
    const key = await keyOfForm(request.raw);
    if (key === undefined) return problem(reply, 400, 'This is no upload form.');
    const form = this.#usedForms.hold(key);
    if (!form.allowed) return problem(reply, 409, 'This upload form was used. Ask for another one.');
    // One that the store refused may be posted again, as with a file that is small enough.
    reply.raw.once('close', form.release);
    return this.#forward(request, reply, {
      names: posted,
      answered: ({ statusCode, stream }) => {
        if (statusCode < 300) form.count();
        void reply.send(stream);
      },
    });
  }

  #ended(network: string): void {
    const left = (this.#uploads.get(network) ?? 1) - 1;
    if (left > 0) this.#uploads.set(network, left);
    else this.#uploads.delete(network);
  }

  async #show(
    request: FastifyRequest,
    reply: FastifyReply,
    query: string,
    headers: Record<string, string> = {},
  ): Promise<FastifyReply> {
    const { '*': key } = request.params as { '*': string };
    // A bucket by itself is a listing.
    if (key === '' || key.endsWith('/') || key.startsWith(withdrawalFolder)) return problem(reply, 403);
    shareWithSite(request, reply, this.#read);
    // An export is its owner's, whatever is hidden of it.
    if (!key.startsWith(exportFolder) && (await this.#withdrawals.include(key))) return problem(reply, 403);
    const all: Forwarded = { names: asked, query, headers };
    // The signature of a link covers GET alone, and a range means nothing in HEAD (RFC 9110, 14.2).
    const part = request.method === 'HEAD' ? undefined : partHeaders(request.headers);
    if (part === undefined) return this.#forward(request, reply, all);
    return this.#forward(request, reply, {
      ...{ ...all, more: part },
      answered: ({ statusCode, stream }) => {
        const hasChanged = statusCode === 412 && request.headers['if-range'] !== undefined;
        if (!hasChanged && statusCode !== 416) return void reply.send(stream);
        stream.destroy();
        void reply.removeHeader('content-length');
        if (hasChanged) this.#forward(request, reply, all);
        else this.#refusePart(request, reply, all);
      },
    });
  }

  /** Says how long an object is of which a part was asked for that there is not. Stores do not say so. */
  #refusePart(request: FastifyRequest, reply: FastifyReply, all: Forwarded): FastifyReply {
    return this.#forward(request, reply, {
      ...all,
      answered: ({ statusCode, stream }) => {
        const size = reply.getHeader('content-length');
        stream.destroy();
        for (const name of ['content-length', 'content-disposition', 'etag', 'last-modified'])
          void reply.removeHeader(name);
        if (statusCode !== 200) return void problem(reply, statusCode);
        void problem(reply.header('content-range', `bytes */${String(size)}`), 416);
      },
    });
  }

  #forward(
    request: FastifyRequest,
    reply: FastifyReply,
    { names, query = '', more = {}, headers: added = {}, answered }: Forwarded,
  ): FastifyReply {
    return reply.from(undefined, {
      ...(request.method === 'HEAD' && { method: 'GET' }),
      retryDelay: neverRetry,
      queryString: () => query,
      rewriteRequestHeaders: () => ({
        ...pickHeaders(request.headers, names),
        ...more,
        ...forwardedHeaders(request, this.#publicUrl),
      }),
      rewriteHeaders: (headers) => {
        const { 'set-cookie': _cookies, ...rest } = withoutProxyHeaders(headers);
        return { ...rest, ...added };
      },
      onResponse: (_request, _reply, answer) => {
        if (answered) return answered(answer);
        if (request.method !== 'HEAD') return void reply.send(answer.stream);
        answer.stream.destroy();
        void reply.send();
      },
    });
  }
}

/** Keys, checksums, chunk signatures, archives to unpack: what programs say to S3, and browsers never do. */
const isOfTheStore = (name: string) =>
  name.startsWith('x-amz-') || name === 'authorization' || name === 'x-minio-extract';

async function refuseUnboundedForm(
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  if (request.raw.url?.includes('?')) return problem(reply, 403);
  const length = request.headers['content-length'];
  if (length === undefined || request.headers['transfer-encoding'] !== undefined) return problem(reply, 411);
  if (request.headers['content-encoding'] !== undefined) return problem(reply, 415);
  if (Number(length) > formBytes) return problem(reply, 413);
  return undefined;
}
