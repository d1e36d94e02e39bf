import type { LinkFinding } from '@stoa/contracts';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Resolution, Target } from './link-resolver.ts';

/** What one look at a link says. `unknown` says nothing for or against it. */
export type Look =
  | { kind: 'works' }
  | { kind: 'fails'; finding: LinkFinding; host: string; hasAnswered: boolean }
  | { kind: 'unknown'; why: string };

export interface LookOptions {
  readonly resolve: (hostname: string) => Promise<Resolution>;
  readonly userAgent: string;
  /** Of each address on the way; of the whole look four times as much. */
  readonly timeoutMs: number;
  /** Aborted when the process stops: a look that is cut off says nothing. */
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

/** Of `timeoutMs`, for a whole look: redirects must not add up. */
export const wholeLook = 4;

/**
 * Looks at a link as a visitor's browser would follow it, redirects included, each of them checked like the link
 * itself. Only headers are read: a body may be slow, or without an end. Whatever a server or DNS does, the look ends: with
 * its deadline, or when the process stops.
 */
export async function lookAt(link: string, options: LookOptions): Promise<Look> {
  const { timeoutMs, stopping } = options;
  const over = new AbortController();
  const late = Promise.withResolvers<Look>();
  const end = (why: string) => {
    over.abort();
    late.resolve(unknown(why));
  };
  const stop = () => end('stopped');
  const timer = setTimeout(() => end('too long'), timeoutMs * wholeLook);
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

async function follow(link: string, options: LookOptions & Ending): Promise<Look> {
  let url = URL.parse(link);
  for (let hop = 0; url && hop <= mostRedirects; hop += 1) {
    const refusal = refusalOf(url);
    if (refusal) return unknown(refusal);
    const resolution = await options.resolve(url.hostname);
    if (resolution.kind === 'nowhere') return fails('no_such_host', url);
    if (resolution.kind !== 'target') return unknown(`address ${resolution.kind}`);
    const answer = await answerOf(url, resolution.target, options);
    if ('kind' in answer) return answer;
    if (!redirects.includes(answer.status) || answer.location === undefined)
      return judgeStatus(answer.status, url);
    url = URL.parse(answer.location, url.href);
  }
  return unknown(url ? 'too many redirects' : 'no address');
}

/** What is said of a link by the status at its end. */
export function judgeStatus(status: number, { host }: { host: string }): Look {
  if (status === 404) return { kind: 'fails', finding: 'not_found', host, hasAnswered: true };
  if (status === 410) return { kind: 'fails', finding: 'gone', host, hasAnswered: true };
  // Another protocol than was asked for; busy, out of order for the moment, or a wall against programs.
  if (status < 200 || status >= 500 || [408, 425, 429].includes(status)) return unknown(`status ${status}`);
  // Whoever asks for a log-in, or for a person, is there.
  return { kind: 'works' };
}

/** What is said of a link that nobody answered at. */
export function judgeError(error: unknown, { host }: { host: string }): Look {
  const { code = '', name = '' } = error as { code?: string; name?: string };
  if (code === 'ECONNREFUSED') return fails('refused', { host });
  if (code === 'CERT_HAS_EXPIRED') return fails('certificate_expired', { host });
  if (code === 'ETIMEDOUT' || name === 'TimeoutError') return fails('timeout', { host });
  // Node hands on the reason why a request was aborted as a cause.
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

/** HEAD is enough where it succeeds; many answer it wrongly, so that only GET is believed that there is nothing. */
async function answerOf(url: URL, target: Target, options: LookOptions & Ending): Promise<Answer | Look> {
  try {
    const head = await ask('HEAD', url, target, options).catch((error: unknown) => {
      if (isFinal(error)) throw error;
      return null;
    });
    return head && head.status < 400 ? head : await ask('GET', url, target, options);
  } catch (error) {
    if (options.stopping.aborted) return unknown('stopped');
    return judgeError(error, url);
  }
}

/** Whether there was no connection: another method would find none either. */
function isFinal(error: unknown): boolean {
  return ['ECONNREFUSED', 'CERT_HAS_EXPIRED', 'EHOSTUNREACH', 'ENETUNREACH'].includes(
    String((error as { code?: unknown }).code),
  );
}

async function ask(
  method: Method,
  url: URL,
  target: Target,
  { timeoutMs, userAgent, stopping }: LookOptions & Ending,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const isSecure = url.protocol === 'https:';
  const literal = url.hostname.startsWith('[') || /^[\d.]+$/.test(url.hostname);
  const request = (isSecure ? requestHttps : requestHttp)({
    // The address that was checked, and no name: nothing is looked up once more.
    host: target.address,
    port: target.port ?? (Number(url.port) || ports[url.protocol]),
    path: `${url.pathname}${url.search}`,
    method,
    headers: { host: url.host, 'user-agent': userAgent, accept: 'text/html,*/*;q=0.5' },
    ...(isSecure && !literal && { servername: url.hostname }),
    // A connection of its own, which ends with the answer.
    agent: false,
  });
  const answer = ({ statusCode = 0, headers }: IncomingMessage) =>
    resolve({ status: statusCode, location: headers.location });
  request.once('response', answer);
  // For these Node emits neither a response nor an error, and leaves the socket to the listener.
  request.once('upgrade', answer);
  request.once('connect', answer);
  // Also after the answer: an error without a listener would end the process.
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
    // The socket of an upgrade is no longer the request's own.
    request.socket?.destroy();
  }
}

const unknown = (why: string): Look => ({ kind: 'unknown', why });

const fails = (finding: LinkFinding, { host }: { host: string }): Look => ({
  ...{ kind: 'fails', finding, host, hasAnswered: false },
});
