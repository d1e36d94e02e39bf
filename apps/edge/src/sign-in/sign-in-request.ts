import type { FastifyRequest } from 'fastify';

/** The request headers that are forwarded to Keycloak. */
export const pageRequestHeaders = [
  'accept',
  'accept-language',
  'if-modified-since',
  'if-none-match',
  'origin',
  'referer',
  'traceparent',
  'user-agent',
];
// The proxy reads pages, so only files may be compressed.
export const fileRequestHeaders = [...pageRequestHeaders, 'accept-encoding'];
export const formRequestHeaders = [...pageRequestHeaders, 'content-type', 'content-length'];

export const actionTokenOf = ({ raw }: FastifyRequest) =>
  new URLSearchParams((raw.url ?? '').split(/\?(.*)/s)[1]).get('key');
export const queryOf = ({ raw }: FastifyRequest) => (raw.url ?? '').split(/\?(.*)/s)[1] ?? '';
export const isAuthorization = ({ routeOptions }: FastifyRequest) =>
  /\/openid-connect\/(auth|registrations)$/.test(routeOptions.url ?? '');
export const isRegistration = ({ routeOptions }: FastifyRequest) =>
  routeOptions.url?.endsWith('/openid-connect/registrations') ?? false;
export const isFile = ({ raw }: FastifyRequest) => raw.url?.startsWith('/resources/') ?? false;

/** The parts of an upstream response that the proxy reads. */
export interface Answer {
  readonly headers: { readonly location?: string; readonly 'content-type'?: string };
  readonly stream: NodeJS.ReadableStream;
}

/** Changes to a forwarded request and its response. */
export interface Forwarding {
  readonly body?: Buffer;
  /** Runs before the response is sent. A returned buffer replaces its body. */
  readonly onAnswer?: (answer: Answer) => Promise<Buffer | void>;
  /** Changes the page of the response. */
  readonly edit?: (html: string) => string;
}

/** A log-in form whose password has several spellings. */
export interface LogInAttempt {
  readonly form: URLSearchParams;
  readonly spellings: readonly string[];
  readonly settle: (location: string | undefined) => Promise<void>;
}
