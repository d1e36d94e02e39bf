import type { LinkFinding } from '@stoa/contracts';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Resolution, Target } from './link-resolver.ts';

/** The result of one check. `unknown` is inconclusive. */
export type CheckResult =
  | { kind: 'works' }
  | { kind: 'fails'; finding: LinkFinding; host: string; hasAnswered: boolean }
  | { kind: 'unknown'; reason: string };

export interface CheckOptions {
  readonly resolve: (hostname: string) => Promise<Resolution>;
  readonly userAgent: string;
  /** Time for each address; the whole check may take `wholeCheckFactor` times as long. */
  readonly timeoutMs: number;
  /** Aborted when the process stops. An interrupted check is inconclusive. */
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

/** The deadline of a whole check, as a multiple of `timeoutMs`, because redirects must not add up. */
export const wholeCheckFactor = 4;

/**
 * Checks a link as a visitor's browser would follow it. Each redirect is validated like the link itself.
 * Reads headers only, because a body may be slow or endless. Whatever a server or DNS does, the check ends:
 * at its deadline, or when the process stops.
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

/** The result that the final status means. */
export function resultOfStatus(status: number, { host }: { host: string }): CheckResult {
  if (status === 404) return { kind: 'fails', finding: 'not_found', host, hasAnswered: true };
  if (status === 410) return { kind: 'fails', finding: 'gone', host, hasAnswered: true };
  // Informational status, server error, timeout or rate limit: inconclusive.
  if (status < 200 || status >= 500 || [408, 425, 429].includes(status)) return unknown(`status ${status}`);
  // A page that demands a log-in or blocks programs exists.
  return { kind: 'works' };
}

/** The result that a connection error means. */
export function resultOfError(error: unknown, { host }: { host: string }): CheckResult {
  const { code = '', name = '' } = error as { code?: string; name?: string };
  if (code === 'ECONNREFUSED') return fails('refused', { host });
  if (code === 'CERT_HAS_EXPIRED') return fails('certificate_expired', { host });
  if (code === 'ETIMEDOUT' || name === 'TimeoutError') return fails('timeout', { host });
  // Node wraps the reason of an aborted request as the cause of an AbortError.
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

/** A successful HEAD suffices. Many servers answer HEAD wrongly, so a failure needs a GET. */
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

/** Whether no connection was possible; GET would fail in the same way. */
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
    // The validated address instead of the name, so that no second DNS lookup can change the target (DNS
    // rebinding).
    host: target.address,
    port: target.port ?? (Number(url.port) || ports[url.protocol]),
    path: `${url.pathname}${url.search}`,
    method,
    headers: { host: url.host, 'user-agent': userAgent, accept: 'text/html,*/*;q=0.5' },
    ...(isSecure && !literal && { servername: url.hostname }),
    // A separate connection, which ends with the answer.
    agent: false,
  });
  const answer = ({ statusCode = 0, headers }: IncomingMessage) =>
    resolve({ status: statusCode, location: headers.location });
  request.once('response', answer);
  // For upgrades Node emits neither a response nor an error, and leaves the socket to the listener.
  request.once('upgrade', answer);
  request.once('connect', answer);
  // This listener also stays after the answer: an error without a listener would end the process.
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
    // After an upgrade `request.destroy()` no longer closes the socket.
    request.socket?.destroy();
  }
}

const unknown = (reason: string): CheckResult => ({ kind: 'unknown', reason });

const fails = (finding: LinkFinding, { host }: { host: string }): CheckResult => ({
  ...{ kind: 'fails', finding, host, hasAnswered: false },
});
