import type { FastifyRequest } from 'fastify';

/** Names of the request headers that the proxy forwards to Keycloak. */
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
// Only files may be compressed, because the proxy reads and changes pages.
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

/** The parts of Keycloak's response that the proxy reads. */
export interface Answer {
  readonly headers: { readonly location?: string; readonly 'content-type'?: string };
  readonly stream: NodeJS.ReadableStream;
}

export interface Forwarding {
  readonly body?: Buffer;
  /** Runs before the response is sent. If it returns a buffer, this replaces the body. */
  readonly onAnswer?: (answer: Answer) => Promise<Buffer | void>;
  readonly edit?: (html: string) => string;
}

/** A log-in form whose password could be spelled in several ways. */
export interface LogInAttempt {
  readonly form: URLSearchParams;
  readonly spellings: readonly string[];
  readonly settle: (location: string | undefined) => Promise<void>;
}
