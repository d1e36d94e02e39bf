import { exportFolder, limits, withdrawalFolder } from '@stoa/contracts';
import {
  closedPolicy,
  serverCertificate,
  securityHeaders,
  subscriberNetwork,
  trustedProxies,
} from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerPreflight, type CorsRule, shareWithSite } from './cors.ts';
import { createReverseProxy } from './reverse-proxy.ts';
import { EdgeConfig } from './edge.config.ts';
import { forwardedHeaders, neverRetry, pickHeaders, withoutProxyHeaders } from './forwarding.ts';
import { isSignedQuery } from './signed-query.ts';
import { problem } from './problem.ts';
import { Withdrawals } from './withdrawals.ts';

/** Uploads that one subscriber may have under way; a page sends three at most, and many people may share an address. */
const uploadsAtOnce = 24;
/**
 * A public picture is stored by browsers and caches, and asked for again each time: the answer is 304 without a body as long as
 * it may be shown. Any other lifetime would show what is hidden to visitors who had nothing of it before.
 */
const askAgain = 'public, no-cache';

/** A form's fields and boundaries, without its file. */
const formBytes = limits.offeringFileBytes + 1024 * 1024;

const asked = [
  'accept',
  'accept-encoding',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'range',
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

  constructor(config: EdgeConfig) {
    this.#config = config;
    this.#withdrawals = new Withdrawals(config);
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
      certificate: serverCertificate(this.#config),
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

  #post(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    shareWithSite(request, reply, this.#upload);
    // A body that trickles in holds a connection to the store for as long as it likes.
    const network = subscriberNetwork(request.ip);
    const under = (this.#uploads.get(network) ?? 0) + 1;
    if (under > uploadsAtOnce) return problem(reply.header('retry-after', '30'), 429);
    this.#uploads.set(network, under);
    request.raw.once('close', () => this.#ended(network));
    return this.#forward(request, reply, posted, '');
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
    return this.#forward(request, reply, asked, query, headers);
  }

  #forward(
    request: FastifyRequest,
    reply: FastifyReply,
    names: readonly string[],
    query: string,
    answered: Record<string, string> = {},
  ): FastifyReply {
    return reply.from(undefined, {
      retryDelay: neverRetry,
      queryString: () => query,
      rewriteRequestHeaders: () => ({
        ...pickHeaders(request.headers, names),
        ...forwardedHeaders(request, this.#publicUrl),
      }),
      rewriteHeaders: (headers) => {
        const { 'set-cookie': _cookies, ...rest } = withoutProxyHeaders(headers);
        return { ...rest, ...answered };
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
