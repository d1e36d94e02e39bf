import type { LinkFinding } from '@stoa/contracts';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Resolution, Target } from './link-resolver.ts';

/** The result of one check. `unknown`: the check proves neither that the link works nor that it fails. */
export type CheckResult =
  | { kind: 'works' }
  | { kind: 'fails'; finding: LinkFinding; host: string; hasAnswered: boolean }
  | { kind: 'unknown'; reason: string };

export interface CheckOptions {
  readonly resolve: (hostname: string) => Promise<Resolution>;
  readonly userAgent: string;
  /** Milliseconds that each request may take. The whole check may take `wholeCheckFactor` times as long. */
  readonly timeoutMs: number;
  /** The caller aborts this signal when the process stops. The result of the check is then `unknown`. */
  readonly stopping?: AbortSignal;
}

interface Answer {
  readonly status: number;
  readonly location: string | undefined;
}

type Method = 'HEAD' | 'GET';
type Ending = { readonly stopping: AbortSignal };

const mostRedirects = 5;
const redirects = [301, 302, 303, 307, 308];
const ports: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** The deadline of a whole check, as a multiple of `timeoutMs`, because redirects would prolong it. */
export const wholeCheckFactor = 4;

/**
 * Checks a link like a visitor's browser, but reads only headers, because a body may be slow or endless. It
 * validates each redirect like the link itself, and ends at its deadline or when the process stops.
 */
export async function checkUrl(link: string, options: CheckOptions): Promise<CheckResult> {
  const { timeoutMs, stopping } = options;
  const over = new AbortController();
  const late = Promise.withResolvers<CheckResult>();
  const end = (reason: string) => {
    over.abort();
    late.resolve(unknown(reason));
  };
  const stop = () => end('stopped');
  const timer = setTimeout(() => end('too long'), timeoutMs * wholeCheckFactor);
  stopping?.addEventListener('abort', stop);
  if (stopping?.aborted) stop();
  try {
    return await Promise.race([follow(link, { ...options, stopping: over.signal }), late.promise]);
  } finally {
    clearTimeout(timer);
    stopping?.removeEventListener('abort', stop);
    over.abort();
  }
}

async function follow(link: string, options: CheckOptions & Ending): Promise<CheckResult> {
  let url = URL.parse(link);
  for (let hop = 0; url && hop <= mostRedirects; hop += 1) {
    const refusal = refusalOf(url);
    if (refusal) return unknown(refusal);
    const resolution = await options.resolve(url.hostname);
    if (resolution.kind === 'no_such_host') return fails('no_such_host', url);
    if (resolution.kind !== 'target') return unknown(`address ${resolution.kind}`);
    const answer = await answerOf(url, resolution.target, options);
    if ('kind' in answer) return answer;
    if (!redirects.includes(answer.status) || answer.location === undefined)
      return resultOfStatus(answer.status, url);
    url = URL.parse(answer.location, url.href);
  }
  return unknown(url ? 'too many redirects' : 'no address');
}

export function resultOfStatus(status: number, { host }: { host: string }): CheckResult {
  if (status === 404) return { kind: 'fails', finding: 'not_found', host, hasAnswered: true };
  if (status === 410) return { kind: 'fails', finding: 'gone', host, hasAnswered: true };
  // Other errors of the server, a timeout and a rate limit do not prove that the page is missing.
  if (status < 200 || status >= 500 || [408, 425, 429].includes(status)) return unknown(`status ${status}`);
  // A status such as 401 or 403 means that the page exists, but requires a log-in or blocks programs.
  return { kind: 'works' };
}

export function resultOfError(error: unknown, { host }: { host: string }): CheckResult {
  const { code = '', name = '' } = error as { code?: string; name?: string };
  if (code === 'ECONNREFUSED') return fails('refused', { host });
  if (code === 'CERT_HAS_EXPIRED') return fails('certificate_expired', { host });
  if (code === 'ETIMEDOUT' || name === 'TimeoutError') return fails('timeout', { host });
  // If a timeout aborts a request, Node throws an AbortError whose cause is the TimeoutError.
  const { cause } = error as { cause?: unknown };
  if (name === 'AbortError' && (cause as { name?: string } | undefined)?.name === 'TimeoutError')
    return fails('timeout', { host });
  return unknown(code || name);
}

function refusalOf({ protocol, port, username, password }: URL): string | null {
  const usual = ports[protocol];
  if (usual === undefined) return 'no web address';
  if (port !== '' && !Object.values(ports).includes(Number(port))) return 'another port';
  return username + password === '' ? null : 'a password';
}

/** Sends HEAD. If that fails it sends GET, because many servers answer HEAD wrongly. */
async function answerOf(
  url: URL,
  target: Target,
  options: CheckOptions & Ending,
): Promise<Answer | CheckResult> {
  try {
    const head = await ask('HEAD', url, target, options).catch((error: unknown) => {
      if (isFinal(error)) throw error;
      return null;
    });
    return head && head.status < 400 ? head : await ask('GET', url, target, options);
  } catch (error) {
    if (options.stopping.aborted) return unknown('stopped');
    return resultOfError(error, url);
  }
}

/** Whether the error prevents any connection to the host, so that GET would fail like HEAD. */
function isFinal(error: unknown): boolean {
  return ['ECONNREFUSED', 'CERT_HAS_EXPIRED', 'EHOSTUNREACH', 'ENETUNREACH'].includes(
    String((error as { code?: unknown }).code),
  );
}

async function ask(
  method: Method,
  url: URL,
  target: Target,
  { timeoutMs, userAgent, stopping }: CheckOptions & Ending,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const isSecure = url.protocol === 'https:';
  const literal = url.hostname.startsWith('[') || /^[\d.]+$/.test(url.hostname);
  const request = (isSecure ? requestHttps : requestHttp)({
    // Connects to the validated address: a second DNS lookup could return a private one (DNS rebinding).
    host: target.address,
    port: target.port ?? (Number(url.port) || ports[url.protocol]),
    path: `${url.pathname}${url.search}`,
    method,
    headers: { host: url.host, 'user-agent': userAgent, accept: 'text/html,*/*;q=0.5' },
    ...(isSecure && !literal && { servername: url.hostname }),
    agent: false,
  });
  const answer = ({ statusCode = 0, headers }: IncomingMessage) =>
    resolve({ status: statusCode, location: headers.location });
  request.once('response', answer);
  // If the server switches protocols, Node emits `upgrade` instead of `response`.
  request.once('upgrade', answer);
  request.once('connect', answer);
  // Stays registered after the answer, because an `error` event without a listener would end the process.
  request.on('error', reject);
  request.once('close', () => reject(new Error('closed without an answer')));
  const late = Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' });
  const timer = setTimeout(() => reject(late), timeoutMs);
  const stop = () => reject(new Error('stopped'));
  stopping.addEventListener('abort', stop);
  if (stopping.aborted) stop();
  request.end();
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    stopping.removeEventListener('abort', stop);
    request.destroy();
    // After an upgrade, `request.destroy()` does not close the socket.
    request.socket?.destroy();
  }
}

const unknown = (reason: string): CheckResult => ({ kind: 'unknown', reason });

const fails = (finding: LinkFinding, { host }: { host: string }): CheckResult => ({
  ...{ kind: 'fails', finding, host, hasAnswered: false },
});
