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
import { answerPreflight, type CorsRule, shareWithSite } from '../proxy/cors.ts';
import { createReverseProxy } from '../proxy/reverse-proxy.ts';
import { EdgeConfig } from '../edge.config.ts';
import { forwardedHeaders, neverRetry, pickHeaders, withoutProxyHeaders } from '../proxy/forwarding.ts';
import { rangeHeaders } from './byte-range.ts';
import { isSignedQuery } from './signed-query.ts';
import { problem } from '../proxy/problem.ts';
import { readFormKey } from './upload-form.ts';
import { UsedForms } from './used-forms.ts';
import { Withdrawals } from './withdrawals.ts';

/** Concurrent uploads of one subscriber network. A page sends at most three, but many users may share an address. */
const uploadsAtOnce = 24;
/**
 * Browsers and caches may store a public picture, but must revalidate it each time and get 304. Otherwise a shared cache
 * would show a hidden picture to new visitors.
 */
const alwaysRevalidate = 'public, no-cache';

type Answer = Parameters<NonNullable<FastifyReplyFromHooks['onResponse']>>[2];

interface Forwarded {
  /** Names of the request headers that are forwarded. */
  readonly names: readonly string[];
  readonly query?: string;
  /** Request headers that are added. */
  readonly more?: Record<string, string>;
  /** Response headers that replace those of the store. */
  readonly headers?: Record<string, string>;
  readonly answered?: (answer: Answer) => void;
}

/** The largest file, plus 1 MiB for the other fields and boundaries of the form. */
const formBytes = limits.offeringFileBytes + 1024 * 1024;

const readHeaders = [
  'accept',
  'accept-encoding',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-unmodified-since',
  'traceparent',
  'user-agent',
];
const formHeaders = ['accept', 'content-length', 'content-type', 'traceparent', 'user-agent'];

/**
 * Forwards three kinds of browser requests to the object store: upload forms, public pictures and signed links to files. It
 * refuses all others, even with a valid signature.
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
      // Enough for 200 MB at 1 Mbit/s.
      requestMs: 30 * 60_000,
      answerMs: 60_000,
      headers: {
        ...securityHeaders({
          https: this.#publicUrl.protocol === 'https:',
          policy: { ...closedPolicy, sandbox: [] },
        }),
        'cross-origin-resource-policy': 'cross-origin',
      },
      // As in S3, 403 does not reveal whether the object is missing or forbidden.
      refuse: (_request, reply, status) => problem(reply, status === 404 ? 403 : status),
    });
    // Streams the body, because an uploaded file may exceed the memory.
    proxy.addContentTypeParser('multipart/form-data', (_request, payload, done) => done(null, payload));
    proxy.addHook('onRequest', async ({ headers }, reply) => {
      if (Object.keys(headers).some(isStoreHeader)) return problem(reply, 403);
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
      handler: (request, reply) => this.#show(request, reply, '', { 'cache-control': alwaysRevalidate }),
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
    // A slow upload occupies a connection to the store, so one network may have only some at a time.
    const network = subscriberNetwork(request.ip);
    const under = (this.#uploads.get(network) ?? 0) + 1;
    if (under > uploadsAtOnce) return problem(reply.header('retry-after', '30'), 429);
    this.#uploads.set(network, under);
    request.raw.once('close', () => this.#ended(network));
    const key = await readFormKey(request.raw);
    if (key === undefined) return problem(reply, 400, 'This is no upload form.');
    const form = this.#usedForms.hold(key);
    if (!form.allowed) return problem(reply, 409, 'This upload form was used. Ask for another one.');
    // If the store refuses the file, the form stays valid, for example for a smaller file.
    reply.raw.once('close', form.release);
    return this.#forward(request, reply, {
      names: formHeaders,
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
    // Without a key the store would list the bucket.
    if (key === '' || key.endsWith('/') || key.startsWith(withdrawalFolder)) return problem(reply, 403);
    shareWithSite(request, reply, this.#read);
    // Owners may download their export even if an operator has hidden their pages.
    if (!key.startsWith(exportFolder) && (await this.#withdrawals.include(key))) return problem(reply, 403);
    const all: Forwarded = { names: readHeaders, query, headers };
    // A HEAD request becomes GET, because signatures of links cover only GET. It ignores a range (RFC 9110, 14.2).
    const part = request.method === 'HEAD' ? undefined : rangeHeaders(request.headers);
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

  /**
   * Answers 416 with the object's length (RFC 9110, 14.4), which stores omit. It requests the whole object to get the length.
   */
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

/** Headers with which S3 clients send keys, checksums or archives to unpack. Browsers never send them. */
const isStoreHeader = (name: string) =>
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
